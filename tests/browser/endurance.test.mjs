// A page that stays open all day: nothing grows, and nothing gets slower.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { close, memoryMB, onPage } from "./harness.mjs";

after(close);

/** A stretch of memory that a page may take once more, when its pieces lie unluckily. */
const SLACK_MB = 0.25;

/** Presses keys one after another, as fast as the page takes them. */
const keys = (page, pressed, times) =>
  page.evaluate(
    async ([pressed, times]) => {
      for (let time = 0; time < times; time++) {
        const key = pressed[time % pressed.length];
        dispatchEvent(new KeyboardEvent("keydown", { key }));
        await new Promise((done) => setTimeout(done, 0));
      }
    },
    [pressed, times],
  );

/** Ten steps forward and ten back, again and again. */
const TO_AND_FRO = [...Array(10).fill("ArrowRight"), ...Array(10).fill("ArrowLeft")];

/** The milliseconds until the page has switched its language and shows it. */
const switchLanguage = (page) =>
  page.evaluate(async () => {
    const start = performance.now();
    dispatchEvent(new KeyboardEvent("keydown", { key: "g" }));
    await new Promise((done) => setTimeout(done, 0));
    await new Promise((done) => requestAnimationFrame(done));
    return performance.now() - start;
  });

test(
  "stepping to and fro takes no more memory, and the language is switched as quickly as before",
  onPage(async (page) => {
    await keys(page, TO_AND_FRO, 300);
    await switchLanguage(page);
    const quick = Math.max(await switchLanguage(page), await switchLanguage(page));
    const before = await memoryMB(page);
    await keys(page, TO_AND_FRO, 1_000);
    const grown = (await memoryMB(page)) - before;
    assert.ok(grown <= SLACK_MB, `${grown} MB more after 1,000 steps`);
    // A part that was drawn and is gone would be asked once more, and a thousand steps draw many.
    const later = Math.min(await switchLanguage(page), await switchLanguage(page));
    assert.ok(later < 10 * quick, `${later} ms instead of ${quick} ms`);
  }),
);

test(
  "opening labs, designs and panes again and again takes no more memory",
  onPage(async (page) => {
    const round = () =>
      page.evaluate(async () => {
        const choose = async (selector, value) => {
          const select = document.querySelector(selector);
          select.value = value;
          select.dispatchEvent(new Event("change", { bubbles: true }));
          await new Promise((done) => setTimeout(done, 60));
        };
        const labs = [...document.querySelector("select.lab").options].map((option) => option.value);
        for (const lab of labs) {
          await choose("select.lab", lab);
          await choose("select.preset", "1");
          for (const tab of document.querySelectorAll("[role=tab]")) tab.click();
        }
      });
    for (let time = 0; time < 3; time++) await round();
    const before = await memoryMB(page);
    for (let time = 0; time < 6; time++) await round();
    const grown = (await memoryMB(page)) - before;
    assert.ok(grown <= SLACK_MB, `${grown} MB more after 30 labs`);
  }),
);
