// Measures the explorer and the built page. Prints one figure a line as `name: value unit` and writes them all to
// target/bench.json (name → value). Ratios compare two things measured in this same run, so that
// they say the same on a fast machine and on a slow one.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { close, mapReady, openPage } from "../tests/browser/harness.mjs";
import { pageSize } from "./page-size.mjs";
import { DIST } from "./serve.mjs";

const SHORT = 50;
const LONG = 1000;
// Short and long runs take turns, so that whatever else the machine does meets both.
const ROUNDS = 6;
// More than that: Chromium makes code faster only after it has run for a while.
const MAP_ROUNDS = 12;
const STEPS_A_ROUND = 9;
// Longer than the page waits before it writes the run into the address.
const SETTLED_MS = 400;

// A message is delivered, written and answered; then it comes once more.
const DELIVERY = ["d", "1", "1"];
const DELIVERY_IN_LINK = "deliver+1+a.step+a*2";
// A key that stands for nothing: what it costs is the cost of measuring.
const NO_STEP = "F9";

const figures = {};
function figure(name, value, unit) {
  figures[name] = Number(value.toFixed(2));
  console.log(`${name}: ${figures[name]} ${unit}`);
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** Shows a run of at least `steps` steps, at its end. */
async function openRun(page, steps) {
  const deliveries = Math.ceil(steps / DELIVERY.length);
  const run = Array(deliveries).fill(DELIVERY_IN_LINK).join(".");
  await page.evaluate((link) => (location.hash = link), `v=1&lab=balance&handler=write.reply&run=${run}`);
  const length = deliveries * DELIVERY.length;
  await page.locator(".position", { hasText: `${length} / ${length}` }).waitFor();
  await page.waitForTimeout(SETTLED_MS);
}

/** The milliseconds of processor time that the page has used so far: for everything, or for its script. */
async function account(chromium, of = "TaskDuration") {
  const { metrics } = await chromium.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === of).value * 1000;
}

async function accountOf(page) {
  const chromium = await page.context().newCDPSession(page);
  await chromium.send("Performance.enable", { timeDomain: "threadTicks" });
  return chromium;
}

/**
 * The milliseconds of processor time that a key costs the page: with everything that follows from
 * it, its effects, layout, painting, and the address that is written a moment later. Chromium keeps
 * the account itself; waiting for a frame, a timer or another program does not count.
 */
async function cost(page, chromium, key) {
  const before = await account(chromium);
  await page.keyboard.press(key);
  await page.waitForTimeout(SETTLED_MS);
  return (await account(chromium)) - before;
}

/**
 * How long the page's script takes for the map that benches/explore.rs makes natively: of the first
 * preset of the payment lab, before its first step, with two faults. All that the page computes
 * meanwhile counts, its progress bar too; that Chromium draws it does not.
 */
async function mapCost(page) {
  const chromium = await accountOf(page);
  await page.evaluate((link) => (location.hash = link), "v=1&lab=payment");
  await mapReady(page);
  const [one, two] = await page.locator(".switch button").all();
  const costs = [];
  for (let round = 0; round < MAP_ROUNDS; round++) {
    await one.click();
    await mapReady(page);
    await page.waitForTimeout(SETTLED_MS);
    const before = await account(chromium, "ScriptDuration");
    await two.click();
    await mapReady(page);
    costs.push((await account(chromium, "ScriptDuration")) - before);
  }
  // As there, the best round: whatever else the machine does can only take time away.
  return Math.min(...costs);
}

/** How long one more step takes at the end of a short run and of a long one. */
async function stepCosts(page) {
  const chromium = await accountOf(page);
  const costs = { [SHORT]: [], [LONG]: [], measuring: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const steps of [SHORT, LONG]) {
      await openRun(page, steps);
      for (let step = 0; step < STEPS_A_ROUND; step++) {
        costs[steps].push(await cost(page, chromium, DELIVERY[step % DELIVERY.length]));
      }
      costs.measuring.push(await cost(page, chromium, NO_STEP));
    }
  }
  const measuring = median(costs.measuring);
  return { short: median(costs[SHORT]) - measuring, long: median(costs[LONG]) - measuring };
}

/** The figures of benches/explore.rs, which prints them as this file does. */
function explorer() {
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  const printed = execFileSync("cargo", ["bench", "--no-default-features", "--bench", "explore"], options);
  return printed.matchAll(/^(\w+): (\S+) (.+)$/gm);
}

for (const [, name, value, unit] of explorer()) {
  figure(name, Number(value), unit);
}

for (const [kind, size] of Object.entries(pageSize(DIST))) {
  figure(`page_brotli_${kind}`, size, "KB");
}

try {
  const { short, long } = await stepCosts(await openPage());
  figure(`step_cost_after_${SHORT}`, short, "ms");
  figure(`step_cost_after_${LONG}`, long, "ms");
  figure(`step_cost_ratio_${LONG}_vs_${SHORT}`, long / short, "times");
  const map = await mapCost(await openPage());
  figure("page_map_time", map, "ms");
  figure("page_map_speed_vs_native", figures.map_time / map, "times");
} finally {
  await close();
}

const target = new URL("../target/", import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(new URL("bench.json", target), JSON.stringify(figures, null, 2) + "\n");
