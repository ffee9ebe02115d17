// Measures the built page. Prints one figure a line as `name: value unit` and writes them all to
// target/bench.json (name → value). Ratios compare two things measured in this same run, so that
// they say the same on a fast machine and on a slow one.

import { mkdirSync, writeFileSync } from "node:fs";
import { close, openPage } from "../tests/browser/harness.mjs";
import { pageSize } from "./page-size.mjs";
import { DIST } from "./serve.mjs";

const figures = {};
function figure(name, value, unit) {
  figures[name] = Number(value.toFixed(2));
  console.log(`${name}: ${figures[name]} ${unit}`);
}

/**
 * The milliseconds that one more step takes, as the median of many, in a run of `steps` steps.
 * `undefined` as long as the page has no runs.
 */
async function stepCost(page, steps) {
  return undefined;
}

for (const [kind, size] of Object.entries(pageSize(DIST))) {
  figure(`page_brotli_${kind}`, size, "KB");
}

try {
  const page = await openPage();
  const [short, long] = [await stepCost(page, 50), await stepCost(page, 1000)];
  if (short && long) figure("step_cost_ratio_1000_vs_50", long / short, "times");
} finally {
  await close();
}

const target = new URL("../target/", import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(new URL("bench.json", target), JSON.stringify(figures, null, 2) + "\n");
