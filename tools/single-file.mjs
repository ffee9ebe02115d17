// The built page as one HTML file, which opens from disk where no server is: everything that it
// would ask for stands in it as a data address. As a command it is `make single`.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DIST } from "./serve.mjs";

const FILE = fileURLToPath(new URL("../target/effectively-once.html", import.meta.url));
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css" };

/** The text of the one file, made from the page in `folder`. */
export function singleFile(folder) {
  const inline = (address) => {
    const data = readFileSync(join(folder, address)).toString("base64");
    return `data:${TYPES[extname(address)]};base64,${data}`;
  };
  return readFileSync(join(folder, "index.html"), "utf8")
    .replace(/<link rel="(module)?preload"[^>]*>/g, "") // would only make the file larger
    .replace(/\.\/[\w-]+\.(js|wasm|css)/g, inline);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(new URL("../target/", import.meta.url), { recursive: true });
  writeFileSync(FILE, singleFile(DIST));
  console.log(`The page is in ${FILE}`);
}
