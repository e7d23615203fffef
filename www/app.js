// Starts the console: the frame around the views, and the choice of the view for an address.

import { init } from "./pkg/browser.js";
import { dismissDialogs, h, mount, toast } from "./widgets/dom.js";
import { addressOf, go, parseAddress } from "./state/address.js";
import { signInView, askAgain } from "./views/sign-in.js";
import { projectsView } from "./views/projects.js";
import { views } from "./views/index.js";
import { failureView, skeleton } from "./widgets/common.js";
import { requestDrawer } from "./widgets/request-drawer.js";
import * as session from "./state/session.js";

const main = document.getElementById("main");
const shell = document.getElementById("shell");
// A view that arrives sooner needs no placeholder.
const PATIENCE_MS = 150;
// If a later view was requested meanwhile, an earlier one is not shown.
let turn = 0;
// Functions to call when the current view is left.
let leaving = [];

/** Shows the view of the current address. */
async function show() {
  const mine = (turn += 1);
  leave(leaving);
  const mineLeaving = (leaving = []);
  const address = parseAddress(location.hash);
  if (!session.signedIn()) return place(mine, signInView({ project: address.project }), "Sign in");
  if (address.project === undefined) return place(mine, projectsView(), "Projects");
  try {
    await session.open(address.project);
  } catch (error) {
    if (error.code === "no_credentials") return place(mine, signInView({ project: address.project }), "Sign in");
    return place(mine, failureView(error), "Projects");
  }
  // Another page may have been requested while the token was fetched.
  if (mine !== turn) return;
  session.enter(address.project);
  const view = Object.hasOwn(views, address.view) ? views[address.view] : undefined;
  if (view === undefined) return place(mine, failureView(new Error("There is no such page.")), "Not found");
  const waiting = setTimeout(() => mine === turn && mount(main, skeleton(10)), PATIENCE_MS);
  try {
    const shown = await view.show({
      address,
      client: session.client(),
      project: address.project,
      onLeave: (run) => mineLeaving.push(run),
    });
    place(mine, shown, view.title(address));
    // A view that arrives too late has already started its work.
    if (mine !== turn) leave(mineLeaving);
  } catch (error) {
    place(mine, failureView(error, show), "Something went wrong");
  } finally {
    clearTimeout(waiting);
  }
}

/** Notifies a view once that it is left. */
function leave(told) {
  for (const run of told.splice(0)) run();
}

function place(mine, element, title) {
  if (mine !== turn) return;
  document.title = `${title} · resource-edge`;
  mount(shell, frame());
  mount(main, element);
  const target = element.querySelector("[autofocus]");
  if (target !== null) target.focus();
  else main.focus({ preventScroll: true });
}

function frame() {
  const brand = h(
    "a",
    { class: "brand", href: "#/" },
    h("img", { src: "/icon.svg", alt: "", width: 20, height: 20 }),
    h("span", {}, "resource-edge"),
  );
  if (!session.signedIn()) return h("header", { class: "frame" }, brand);
  const address = parseAddress(location.hash);
  // The address may name a project that is not open yet.
  const project = address.project === session.project() ? address.project : undefined;
  const link = ({ view, label }) =>
    h("a", { href: addressOf({ project, view }), "aria-current": address.view === view ? "page" : undefined }, label);
  const tabs = Object.entries(views).flatMap(([view, { tab }]) =>
    tab === undefined ? [] : [link({ view, label: tab })],
  );
  return h(
    "header",
    { class: "frame" },
    brand,
    project !== undefined &&
      h("a", { class: "project chip", href: "#/", title: "Change the project" }, h("span", { class: "clip" }, project)),
    project !== undefined && !session.mayWrite() && h("span", { class: "badge" }, "read only"),
    project !== undefined && h("nav", { "aria-label": "Project", class: "tabs" }, tabs),
    h("button", { class: "button quiet push", type: "button", onclick: signOut }, "Sign out"),
  );
}

function signOut() {
  session.signOut();
  go({});
  show();
  toast("You are signed out.", "success");
}

// The hash is the view's address, so the link to the content cannot be a fragment.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
mount(document.getElementById("drawer"), requestDrawer(session));
session.setAskAgain(askAgain);
addEventListener("hashchange", () => {
  dismissDialogs();
  show();
});
addEventListener("unhandledrejection", (event) =>
  toast(`Something went wrong: ${event.reason?.message ?? event.reason}`, "error"),
);
try {
  await init();
  await show();
} catch (error) {
  mount(main, failureView(error));
}
