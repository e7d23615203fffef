// Notes that only their owner sees. The page calls the service itself: the rules in resources.json limit each user.
import * as React from "react";
import { createRoot } from "react-dom/client";
import { ResourceClient } from "resource-edge";
import { useLive } from "resource-edge/react";
import { note } from "./resource-edge.js";

const { service = "http://127.0.0.1:8787", issuer = "http://127.0.0.1:9400" } = Object.fromEntries(
  new URLSearchParams(location.hash.slice(1)),
);

/** Returns a client of the user. It calls `token` for its first call, and again before the token expires. */
function clientOf(user) {
  const token = async () => (await fetch(`${issuer}/token?user=${encodeURIComponent(user)}`)).json();
  return new ResourceClient({ baseUrl: service, projectKey: "notes", token, resource: note });
}

function SignIn({ onUser }) {
  const submit = (event) => {
    event.preventDefault();
    onUser(new FormData(event.target).get("user"));
  };
  return (
    <form onSubmit={submit}>
      <input name="user" aria-label="User" placeholder="alice" required /> <button type="submit">Sign in</button>
    </form>
  );
}

function Notes({ user }) {
  const [client] = React.useState(() => clientOf(user));
  const [problem, setProblem] = React.useState("");
  const { status, items, error } = useLive(client, { sort: "createdAt asc" });
  // The list shows a change once it is performed, also in the user's other windows.
  const perform = (change) => {
    setProblem("");
    return change.catch(({ message }) => setProblem(message));
  };
  const add = (event) => {
    event.preventDefault();
    const form = event.target;
    const text = new FormData(form).get("text");
    return perform(client.createOrUpdate({ text, owner: user }).then(() => form.reset()));
  };
  return (
    <>
      <p>
        {user}: <output>{status}</output>
      </p>
      <ul>
        {items.map(({ id, version, text }) => (
          <li key={id}>
            <span>{text}</span>{" "}
            <button type="button" onClick={() => perform(client.deleteById(id, { version }))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <input name="text" aria-label="New note" required /> <button type="submit">Add</button>
      </form>
      <p role="alert">{error?.message ?? problem}</p>
    </>
  );
}

function App() {
  const [user, setUser] = React.useState();
  return user === undefined ? <SignIn onUser={setUser} /> : <Notes user={user} />;
}

createRoot(document.getElementById("root")).render(<App />);
