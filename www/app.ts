// The console: the frame around the views, and the choice of the view for an address.

import { addressOf, enterAddress, go, parseAddress, setAddress } from "./state/address.js";
import * as live from "./state/live.js";
import * as session from "./state/session.js";
import { views } from "./views/index.js";
import { projectsView } from "./views/projects.js";
import { askForSignIn, signInView } from "./views/sign-in.js";
import { dismissDialogs } from "./widgets/base/dialog.js";
import { button, h, mount, toast } from "./widgets/base/dom.js";
import { failureView } from "./widgets/base/failure.js";
import { liveSwitch } from "./widgets/frame/live-switch.js";
import { skeleton } from "./widgets/base/placeholders.js";
import { listenToKeys } from "./widgets/frame/keys.js";
import { RequestDrawer } from "./widgets/frame/request-drawer.js";

const main = elementOf("main");
const shell = elementOf("shell");
const liveToggle = liveSwitch();
const drawer = new RequestDrawer();
// A view that arrives sooner needs no placeholder.
const PLACEHOLDER_MS = 150;
// If a later view was requested meanwhile, an earlier one is not shown.
let turn = 0;
/** Functions to call when the current view is left. */
let leaving: (() => void)[] = [];

function elementOf(id: string) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element '${id}'.`);
  return element;
}

/** Shows the view of the current address. */
async function show() {
  const mine = (turn += 1);
  leave(leaving);
  live.leave();
  const mineLeaving: (() => void)[] = [];
  leaving = mineLeaving;
  const address = parseAddress(location.hash);
  const { project } = address;
  // Addresses that other versions of the console had become those of today.
  if (project === undefined) enterAddress(address);
  else setAddress({ ...address, params: [...address.params] }, { replace: true });
  if (!session.isSignedIn()) return place(mine, signInView({ project }), "Sign in");
  if (project === undefined) return place(mine, projectsView(), "Projects");
  try {
    await session.open(project);
  } catch (error) {
    if (error instanceof session.SignInError && error.code === "no_credentials")
      return place(mine, signInView({ project }), "Sign in");
    return place(mine, failureView(error, show), "Projects");
  }
  // Another page may have been requested while the token was fetched.
  if (mine !== turn) return;
  session.enter(project);
  const view = Object.hasOwn(views, address.view ?? "") ? views[address.view ?? ""] : undefined;
  if (view === undefined)
    return place(mine, failureView(Object.assign(new Error("There is no such page."), { status: 404 })), "Not found");
  const waiting = setTimeout(() => mine === turn && mount(main, skeleton(10)), PLACEHOLDER_MS);
  try {
    const shown = await view.show({
      address,
      client: session.client(),
      project,
      model: session.model(),
      onLeave: (run) => mineLeaving.push(run),
      // A view that is no longer wanted reads and follows nothing.
      follow: (followed) => (mine === turn ? live.follow(followed) : new Promise(() => {})),
    });
    place(mine, shown, view.title(address));
    // A view that arrives too late has already started its work.
    if (mine !== turn) leave(mineLeaving);
  } catch (error) {
    if (mine === turn) live.leave();
    place(mine, failureView(error, show), "An error occurred");
  } finally {
    clearTimeout(waiting);
  }
}

/** Calls the functions of a view that is left, once. */
function leave(functions: (() => void)[]) {
  for (const run of functions.splice(0)) run();
}

/** Shows an element if no later view was requested. */
function place(mine: number, element: HTMLElement, title: string) {
  if (mine !== turn) return;
  document.title = `${title} · resource-edge`;
  mount(shell, frame());
  mount(main, element);
  const target = element.querySelector<HTMLElement>("[autofocus]");
  if (target !== null) target.focus();
  else main.focus({ preventScroll: true });
}

function frame() {
  const brand = h(
    "a",
    { class: "brand", href: "#/" },
    h("img", { src: "/icon.svg", alt: "", width: 20, height: 20 }),
    h("span", "resource-edge"),
  );
  if (!session.isSignedIn())
    return h("header", { class: "frame" }, brand, h("div", { class: "toolbar push" }, drawer.toggle));
  const address = parseAddress(location.hash);
  // The address may name a project that is not open yet.
  const project = address.project === session.project() ? address.project : undefined;
  const user = project === undefined ? undefined : session.user();
  const isCurrent = (view: string) => (address.view === view ? "page" : undefined);
  const tabs = Object.entries(views).map(
    ([view, { tab, right }]) =>
      tab !== undefined &&
      (user === undefined || right === undefined || session.may(right)) &&
      h("a", { href: addressOf({ project, view }), "aria-current": isCurrent(view) }, tab),
  );
  return h(
    "header",
    { class: "frame" },
    brand,
    project !== undefined && [
      h("a", { class: "project chip", href: "#/", title: "Change the project" }, h("span", { class: "clip" }, project)),
      user !== undefined && h("span", { class: "badge", title: "The rules of the project limit this user." }, user),
      !session.may("update") && user === undefined && h("span", { class: "badge" }, "read only"),
      h("nav", { "aria-label": "Project", class: "tabs" }, tabs),
    ],
    h(
      "div",
      { class: "toolbar push" },
      project !== undefined && liveToggle,
      drawer.toggle,
      button("Sign out", signOut, "quiet small"),
    ),
  );
}

function signOut() {
  session.signOut();
  go({});
  void show();
  toast("You are signed out.", "success");
}

// The hash is the view's address, so the link to the content cannot be a fragment.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
mount(elementOf("drawer"), drawer.element);
listenToKeys();
session.setAskForSignIn(async (project) => {
  await askForSignIn(project);
  live.resume();
});
addEventListener("hashchange", () => {
  dismissDialogs();
  void show();
});
addEventListener("unhandledrejection", (event) =>
  toast(`An error occurred: ${event.reason?.message ?? event.reason}`, "error"),
);
// Meanwhile a person signs in, or a project is opened, which says what has failed.
session.load().catch(() => {});
await show();
