// Requests and sockets of a page of Playwright.

import type { RoutedPage, Service } from "./types.js";

/** The code of a socket that ended without a reason, which no program may send. */
const ABNORMAL = 1006;

/** Lets a service respond to what a page sends to the addresses. */
export async function routePage(service: Service, page: RoutedPage, url: Parameters<Service["route"]>[1]) {
  await page.route(url, async (route) => {
    const request = route.request();
    const init = { method: request.method(), headers: request.headers(), body: request.postDataBuffer() };
    const response = await service.fetch(request.url(), init).catch(() => undefined);
    if (response === undefined) return route.abort();
    const headers = Object.fromEntries(response.headers);
    return route.fulfill({ status: response.status, headers, body: await response.text() });
  });
  await page.routeWebSocket(url, (route) => {
    const socket = new service.WebSocket(route.url(), route.protocols());
    route.onMessage((message: string) => socket.send(message));
    route.onClose(() => socket.close());
    socket.addEventListener("message", ({ data }) => route.send(data));
    socket.addEventListener("close", ({ code, reason }) => route.close(code === ABNORMAL ? {} : { code, reason }));
  });
}
