import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib"; // at its default, the best quality: 11

/**
 * What a visitor downloads of the page in `folder`, in KB of 1024 bytes as brotli sends them:
 * `{ wasm, js, css, html, total }`.
 */
export function pageSize(folder) {
  const sizes = { wasm: 0, js: 0, css: 0, html: 0, total: 0 };
  for (const name of readdirSync(folder, { recursive: true })) {
    const kind = extname(name).slice(1);
    if (!(kind in sizes)) continue;
    const size = brotliCompressSync(readFileSync(join(folder, name))).length / 1024;
    sizes[kind] += size;
    sizes.total += size;
  }
  return sizes;
}
