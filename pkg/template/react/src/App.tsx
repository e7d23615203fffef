import { type FormEvent, useState } from "react";
import { type RecordOf, ResourceClient } from "resource-edge";
import { FormFields, useList, useResourceForm } from "resource-edge/react";
import { type Product, product } from "../resource-edge.js";

type Client = ResourceClient<Product>;

/** Returns a client whose tokens come from the Worker, which checks the password. */
function connect(password: string) {
  const token = async () => {
    const response = await fetch("/api/token", { headers: { Authorization: `Bearer ${password}` } });
    if (!response.ok) throw Object.assign(new Error(await response.text()), { retryable: false });
    return response.json();
  };
  return new ResourceClient({ baseUrl: location.origin, projectKey: "demo", resource: product, token });
}

export function App() {
  const [client, setClient] = useState<Client>();
  const [message, setMessage] = useState("");
  async function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const next = connect(String(new FormData(event.currentTarget).get("password")));
    await next.token().then(
      () => setClient(next),
      (error) => setMessage(error.cause?.message ?? error.message),
    );
  }
  if (client) return <Products client={client} />;
  return (
    <form onSubmit={signIn}>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" />
      </label>
      <button type="submit">Sign in</button>
      <output>{message}</output>
    </form>
  );
}

export function Products({ client }: { client: Client }) {
  const list = useList(client, { facet: "status", sort: "lastModifiedAt desc", limit: 10 });
  const [edited, edit] = useState<RecordOf<Product>>();
  return (
    <>
      <section aria-busy={list.status === "loading"}>
        <label>
          Search <input type="search" value={list.text} onChange={({ target }) => list.setText(target.value)} />
        </label>
        {list.terms.status?.map(({ term, count, isChosen, toggle }) => (
          <label key={term}>
            <input type="checkbox" checked={isChosen} onChange={toggle} /> {term} ({count})
          </label>
        ))}
        <ul>
          {list.items.map((item) => (
            <li key={item.id}>
              <input type="button" value={item.title} onClick={() => edit(item)} /> {item.price} {item.status}
            </li>
          ))}
        </ul>
        <input type="button" value="Previous" disabled={!list.previous} onClick={list.previous} />
        <input type="button" value="Next" disabled={!list.next} onClick={list.next} />
        <output>{list.error?.message ?? `${list.total ?? ""} products`}</output>
      </section>
      <Editor client={client} {...(edited && { record: edited })} onDone={() => edit(undefined)} />
    </>
  );
}

function Editor({ client, record, onDone }: { client: Client; record?: RecordOf<Product>; onDone: () => void }) {
  const form = useResourceForm(client, { record, onSaved: onDone });
  return (
    <form onSubmit={form.onSubmit}>
      <h2>{record?.title ?? "New product"}</h2>
      <FormFields form={form} />
      <button type="submit">Save</button>
      <input type="button" value="Cancel" onClick={record ? onDone : form.reset} />
    </form>
  );
}
