// What the browser tests share: a static server of the built page, Chromium, and pages that keep
// count of what went wrong in them and of what they asked of the network.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { DIST, serve } from "../../tools/serve.mjs";

// The packages are those of tools/.
const require = createRequire(new URL("../../tools/package.json", import.meta.url));
const { chromium } = require("playwright-core");

// Where the page is served: at the root, as on a host of its own, and in a folder with a space in
// its name, which finds every address that is not relative.
export const ROOT = "/";
export const FOLDER = "/some/sub%20path/";

const LOAD_TIMEOUT_MS = 30_000;
// A click on something that is not there should fail soon.
const ACTION_TIMEOUT_MS = 10_000;

// Promises of both, made when the first page is opened.
let site;
let browser;

/**
 * Opens the page, served at `path` or as a `file:` address, and waits until it has started.
 *
 * The page that is returned is Playwright's, with a `trouble` beside its own:
 *   errors   what was logged to the console as an error, and what was thrown
 *   foreign  addresses asked of another host
 *   late     addresses asked after the page had started
 * Close it by `page.context().close()`; `close` below ends all that are left.
 */
export async function openPage({
  viewport = { width: 1280, height: 720 },
  locale = "en-US",
  colorScheme = "light",
  reducedMotion = "reduce",
  hash = "",
  path = FOLDER,
  file,
} = {}) {
  site ??= serve(DIST, { mount: FOLDER });
  browser ??= startBrowser();
  const siteOrigin = (await site).origin;
  const context = await (await browser).newContext({ viewport, locale, colorScheme, reducedMotion });
  const page = await context.newPage();
  page.setDefaultTimeout(LOAD_TIMEOUT_MS);

  const address = (file ?? siteOrigin + path) + hash;
  const trouble = { errors: [], foreign: [], late: [] };
  let started = false;
  page.on("console", (message) => {
    if (message.type() === "error") trouble.errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => trouble.errors.push(error.stack));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol === "data:" || protocol === "blob:" || request.url() === file) return;
    if (origin !== siteOrigin) trouble.foreign.push(request.url());
    if (started) trouble.late.push(request.url());
  });

  page.on("websocket", (socket) => trouble.foreign.push(socket.url()));

  await page.addInitScript(() => {
    // The memory of the program, which grows and never shrinks.
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const instantiate = WebAssembly[name];
      WebAssembly[name] = async (...given) => {
        const made = await instantiate(...given);
        window.wasmMemory = (made.instance ?? made).exports.memory;
        return made;
      };
    }
    // Trunk's start-up script says by this event that the program has begun.
    addEventListener("TrunkApplicationStarted", () => (window.started = true));
  });
  await page.goto(address);
  await page
    .waitForFunction(() => window.started)
    .catch((cause) => {
      throw new Error(["the page did not start", ...trouble.errors].join("\n"), { cause });
    });
  started = true;
  page.setDefaultTimeout(ACTION_TIMEOUT_MS);

  return Object.assign(page, { trouble });
}

/**
 * The body of a test that works on one page: opens it, hands it over, and then makes sure that
 * nothing went wrong in it and that it asked nothing of the network.
 */
export function onPage(options, work) {
  if (typeof options === "function") return onPage({}, options);
  return async (context) => {
    const page = await openPage(options);
    try {
      await work(page, context);
      assert.deepEqual(page.trouble, { errors: [], foreign: [], late: [] });
    } finally {
      await page.context().close();
    }
  };
}

/** Every sentence of the page by its key, as in the catalogues: `WORDS.en["ui.step"]`. */
export const WORDS = { en: readWords("en"), zh: readWords("zh") };

function readWords(language) {
  const file = new URL(`../../locales/${language}.properties`, import.meta.url);
  const lines = readFileSync(file, "utf8").split("\n");
  const entries = lines.filter((line) => line.includes("=") && !line.startsWith("#"));
  return Object.fromEntries(entries.map((line) => line.split(/ = (.*)/, 2)));
}

export const LABS = ["balance", "payment", "inbox", "outbox", "delivery"];

/** The ids of the named designs of a lab. */
export const presetsOf = (lab) =>
  Object.keys(WORDS.en)
    .map((key) => key.match(`^${lab}\\.preset\\.(\\w+)$`)?.[1])
    .filter(Boolean);

/** The sentences of the language that the page shows now. */
export async function words(page) {
  const language = await page.getAttribute("html", "lang");
  return WORDS[language.slice(0, 2)];
}

// What a person does. All of it works in both languages.

/** Takes the next step: the recorded one, at the end the protocol's own. */
export async function step(page, times = 1) {
  for (let i = 0; i < times; i++) await page.click(".transport button.step");
}

/** Presses the control with this name, given by its key in the catalogues. */
export async function press(page, key) {
  const name = (await words(page))[key];
  await page.getByRole("button", { name, exact: true }).click();
}

/** Moves the slider. */
export async function seek(page, to) {
  await page.fill(".slider input", String(to));
}

/** The button of a fault, by the fault's id, such as `lose_reply`. */
export async function faultButton(page, kind) {
  const name = (await words(page))[`fault.${kind}`];
  const bar = page.getByRole("group", { name: (await words(page))["ui.faults"] });
  return bar.getByRole("button").filter({ hasText: new RegExp(`^${name}`) });
}

/** Puts a fault here; of several possible ones that whose name has `which` in it. */
export async function choose(page, kind, which = "") {
  await (await faultButton(page, kind)).click();
  if (which) await page.getByRole("menuitem").filter({ hasText: which }).click();
}

/** Takes the protocol's own step whose name has `name` in it, wherever it is offered. */
export async function take(page, name) {
  const offered = page.locator(".step-choice").filter({ hasText: name });
  if (await offered.count()) return offered.click();
  await page.click(".more button");
  await page.getByRole("menuitem").filter({ hasText: name }).first().click();
}

/** Opens another lab. */
export const chooseLab = (page, id) => page.selectOption("select.lab", id);

/** Chooses a named design of the lab that is open, by its id. */
export async function choosePreset(page, id) {
  const lab = await page.inputValue("select.lab");
  const label = (await words(page))[`${lab}.preset.${id}`];
  await page.selectOption(".presets select", { label });
}

/** A field of the operations: the row and the column are counted from 0. */
export function cell(page, row, column) {
  return page.locator(".records tbody tr").nth(row).locator("input").nth(column);
}

/** Shows one of the panes of the design: `steps`, `choices` or `rows`. */
export async function openTab(page, id) {
  await page.click(`#tab-${id}`);
}

/** Waits until the map of failure windows is that of the run. */
export const mapReady = (page) => page.locator(".windows[aria-busy=false]").waitFor();

/** The cell of a failure window: after so many steps, a fault by its id. */
export const windowCell = (page, gap, fault) => page.locator(`#window-${gap}-${fault}`);

/** How much memory the program has taken, in MB. */
export const memoryMB = (page) => page.evaluate(() => window.wasmMemory.buffer.byteLength / 2 ** 20);

// What a person sees.

const text = async (page, selector) => (await page.innerText(selector)).trim();

export const truth = (page) => text(page, ".figure:nth-of-type(1) .value");
export const belief = (page) => text(page, ".figure:nth-of-type(2) .value");
export const headline = (page) => text(page, ".verdict h2");
export const reason = (page) => text(page, ".verdict p");
export const notice = (page) => page.locator(".notice span").innerText();
export const position = (page) => text(page, ".position");
/** What the bar below the diagram says of the map. */
export const about = (page) => text(page, ".window-bar .about");
export const fragment = (page) => new URL(page.url()).hash;

/** The steps of the run as text; of a long run those that are in sight. */
export async function steps(page) {
  const lines = await page.locator(".steps li").allTextContents();
  return lines.map((line) => line.trim());
}

/** A table of the state by its name: what it says of itself, and its entries. */
export async function table(page, name) {
  const section = page.locator(".state .table").filter({ has: page.getByText(name, { exact: true }) });
  return section.evaluate((section) => ({
    kind: section.querySelector(".kind").textContent,
    durable: section.classList.contains("durable"),
    volatile: section.classList.contains("volatile"),
    gone: section.classList.contains("gone"),
    entries: Object.fromEntries(
      [...section.querySelectorAll(".entry")].map((entry) => [
        entry.querySelector("dt").textContent,
        entry.querySelector("dd").textContent,
      ]),
    ),
  }));
}

/** The step that was taken last, as text. */
export async function lastTaken(page) {
  const line = page.locator(".steps .now");
  return (await line.count()) ? (await line.textContent()).trim() : "";
}

/** What the page says of the state that it shows. */
export async function shown(page) {
  return {
    position: await position(page),
    truth: await truth(page),
    belief: await belief(page),
    headline: await headline(page),
    reason: await reason(page),
    lastTaken: await lastTaken(page),
    tables: await page.locator(".state .table").allInnerTexts(),
  };
}

/** Waits until the address holds the run that is shown; it follows a moment after each step. */
export async function linkIn(page, pattern) {
  await page.waitForURL(pattern);
  return fragment(page);
}

/** The accessibility rules (WCAG 2.2 A and AA) that the page breaks now, one line a place. */
export async function axe(page) {
  await page.evaluate(require("axe-core").source);
  const { violations } = await page.evaluate(() =>
    window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${help}, at ${target.join(" ")}`),
  );
}

/** Ends the browser and the server. A test file says `after(close)`, else it never ends. */
export async function close() {
  await (await browser)?.close();
  (await site)?.close();
  browser = site = undefined;
}

function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    chromiumSandbox: process.getuid() !== 0, // Chromium's sandbox refuses to run as root
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Chromium itself reaches nobody either: no name is ever looked up.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
}
