import { QueryClientProvider, useInfiniteQuery } from "@tanstack/react-query";
import * as React from "react";
import { createRoot } from "react-dom/client";
import { listQuery, queryClient, useRename } from "./queries.js";

function Resource({ resource }) {
  const rename = useRename();
  const [name, setName] = React.useState(resource.title);
  const submit = (event) => {
    event.preventDefault();
    rename.mutate({ id: resource.id, version: resource.version, name });
  };
  return (
    <li>
      <form onSubmit={submit}>
        <span>{resource.key ?? resource.id}</span> version {resource.version}{" "}
        <input
          aria-label={`Name of ${resource.key ?? resource.id}`}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" disabled={rename.isPending}>
          Save
        </button>
        {rename.error && (
          <output>
            {rename.error.isConflict
              ? `Somebody else saved version ${rename.error.currentVersion}: "${resource.title}". Save ` +
                "again to replace it."
              : rename.error.message}
          </output>
        )}
      </form>
    </li>
  );
}

function Resources() {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(listQuery);
  if (error) return <p role="alert">{error.message}</p>;
  if (!data) return <p>Loading</p>;
  return (
    <>
      <ul>
        {data.pages.flatMap(({ results }) =>
          results.map((resource) => <Resource key={resource.id} resource={resource} />),
        )}
      </ul>
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => fetchNextPage()}>
          More
        </button>
      )}
    </>
  );
}

createRoot(document.getElementById("root")).render(
  <QueryClientProvider client={queryClient}>
    <Resources />
  </QueryClientProvider>,
);
