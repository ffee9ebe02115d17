// Somebody who presses everything: random actions over all controls of all labs, the same ones in
// every run of this test.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { close, onPage, position } from "./harness.mjs";

after(close);

/**
 * Takes so many random actions inside the page, and gives the slowest of them. They are told and not
 * judged: how long an action takes says as much about the machine as about the page.
 */
const monkey = (page, seed, actions) =>
  page.evaluate(
    async ([seed, actions]) => {
      // mulberry32, a generator of a few lines.
      const random = () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
      };
      const pick = (list) => list[Math.floor(random() * list.length)];
      const KEYS = [..."0123456789abcdefghijklmnopqrstuvwxyzZQ[]?.+-", "ArrowRight", "ArrowLeft", "PageDown"].concat(
        ["PageUp", "Home", "End", "Enter", " ", "Escape", "ArrowUp", "ArrowDown", "Tab"],
      );
      const TYPED = ["a", "", "-5", "7", "x".repeat(300), "1e9", "<b>", "字"];
      const press = (key) => {
        const target = document.activeElement ?? document.body;
        target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        return `key ${key}`;
      };
      const controls = () =>
        [...document.querySelectorAll("button, select, summary, input:not([type=file]), [role=gridcell], .row")].filter(
          (one) => !one.disabled && one.checkVisibility() && !one.closest("[inert], dialog:not([open])"),
        );
      const act = () => {
        if (random() < 0.25) return press(pick(KEYS));
        if (random() < 0.03) {
          history.back();
          return "back";
        }
        const one = pick(controls());
        if (!one) return press("Escape");
        const name = `${one.tagName} ${one.className.baseVal ?? one.className} ${one.ariaLabel ?? ""}`;
        if (one.tagName === "SELECT") {
          one.focus();
          one.value = pick([...one.options]).value;
          one.dispatchEvent(new Event("change", { bubbles: true }));
        } else if (one.type === "range") {
          one.value = Math.floor(random() * (Number(one.max) + 1));
          one.dispatchEvent(new Event("input", { bubbles: true }));
        } else if (one.tagName === "INPUT") {
          one.focus();
          one.value = pick(TYPED);
          one.dispatchEvent(new Event("input", { bubbles: true }));
          one.dispatchEvent(new Event("change", { bubbles: true }));
        } else {
          one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        }
        return name;
      };
      const slowest = [];
      for (let i = 0; i < actions; i++) {
        const start = performance.now();
        const name = act();
        // All that follows at once from an action has then been done, and the page is drawn.
        await new Promise((done) => setTimeout(done, 0));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
        slowest.push({ name, ms: Math.round(performance.now() - start) });
      }
      return slowest.sort((a, b) => b.ms - a.ms).slice(0, 5);
    },
    [seed, actions],
  );

for (const [locale, seed] of [
  ["en-US", 20261203],
  ["zh-CN", 7],
]) {
  test(
    `a thousand random actions do no harm in ${locale}`,
    onPage({ locale }, async (page, context) => {
      // Saving a file, the clipboard and printing are the browser's business.
      await page.evaluate(() => {
        HTMLAnchorElement.prototype.click = () => {};
        window.print = () => {};
      });
      // So that going back never leaves the page: it has somewhere to go back to.
      await page.evaluate(() => {
        for (let i = 0; i < 100; i++) history.pushState(null, "", location.href);
      });
      for (const { name, ms } of await monkey(page, seed, 1_000)) context.diagnostic(`${ms} ms: ${name}`);
      // It still answers.
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press("Home");
      assert.match(await position(page), /^0 \/ \d+$/);
    }),
  );
}
