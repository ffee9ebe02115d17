// A static server for the built page, on this machine only. As a command it is `make serve`; the
// browser tests use the same one.

import { createServer } from "node:http";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import sirv from "sirv";

const PREFERRED_PORT = 8080;

export const DIST = fileURLToPath(new URL("../dist/", import.meta.url));

/** Serves `folder` at "/" and also at `mount`, on `port` or, if that is taken, on any free one. */
export async function serve(folder, { port = 0, mount = "/" } = {}) {
  // With `dev` and no age, a page that is built anew is there at the next reload.
  const files = sirv(folder, { dev: true, etag: true, maxAge: 0 });
  const server = createServer((request, response) => {
    if (request.url.startsWith(mount)) request.url = "/" + request.url.slice(mount.length);
    files(request, response);
  });
  const listen = (port) => once(server.listen(port, "127.0.0.1"), "listening");
  await listen(port).catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    return listen(0);
  });
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { origin } = await serve(DIST, { port: PREFERRED_PORT });
  console.log(`Effectively Once is at ${origin}/ (Ctrl-C ends it)`);
}
