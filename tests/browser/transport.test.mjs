// Time travel: step by step, to either end, by the slider, by itself; and the branches of a run.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  choose,
  choosePreset,
  close,
  headline,
  notice,
  onPage,
  position,
  press,
  seek,
  shown,
  step,
  steps,
  take,
  truth,
} from "./harness.mjs";

after(close);

const STEPS = 15; // of the run that the page begins with

test(
  "the page begins with a recorded run, before its first step",
  onPage(async (page) => {
    assert.equal(await position(page), `0 / ${STEPS}`);
    assert.equal((await steps(page)).length, STEPS);
    assert.equal(await page.locator(".space-time .row").count(), STEPS);
    assert.equal(await headline(page), WORDS.en["headline.nothing"]);
  }),
);

test(
  "forward and back show the states on the way",
  onPage(async (page) => {
    const forth = [await shown(page)];
    for (let i = 0; i < STEPS; i++) {
      await step(page);
      forth.push(await shown(page));
      assert.equal(forth.at(-1).position, `${i + 1} / ${STEPS}`);
    }
    const back = [await shown(page)];
    for (let i = 0; i < STEPS; i++) {
      await press(page, "ui.key.back");
      back.unshift(await shown(page));
    }
    assert.deepEqual(back.slice(0, -1), forth.slice(0, -1));
  }),
);

test(
  "first and last go to the ends, and are off where there is nothing to go to",
  onPage(async (page) => {
    const first = page.getByRole("button", { name: WORDS.en["ui.key.first"] });
    const last = page.getByRole("button", { name: WORDS.en["ui.key.last"] });
    assert.deepEqual([await first.isEnabled(), await last.isEnabled()], [false, true]);
    await last.click();
    assert.equal(await position(page), `${STEPS} / ${STEPS}`);
    assert.deepEqual([await first.isEnabled(), await last.isEnabled()], [true, false]);
    await first.click();
    assert.equal(await position(page), `0 / ${STEPS}`);
  }),
);

test(
  "the slider goes to any step",
  onPage(async (page) => {
    await step(page, 8);
    const eighth = await shown(page);
    await seek(page, 2);
    assert.equal(await position(page), `2 / ${STEPS}`);
    await seek(page, 8);
    assert.deepEqual(await shown(page), eighth);
  }),
);

test(
  "a click on a step of the diagram goes there",
  onPage(async (page) => {
    await page.locator(".space-time .row").nth(4).click();
    assert.equal(await position(page), `5 / ${STEPS}`);
  }),
);

test(
  "the step that was taken is marked and the future is faded",
  onPage(async (page) => {
    await step(page, 6);
    assert.deepEqual(await page.locator(".space-time .row.now .number").allTextContents(), ["6"]);
    assert.equal(await page.locator(".space-time .row.future").count(), STEPS - 6);
    const opacity = (which) =>
      page
        .locator(`.space-time .row${which}`)
        .first()
        .evaluate((row) => +getComputedStyle(row).opacity);
    assert.equal(await opacity(":not(.future)"), 1);
    assert.ok((await opacity(".future")) < 0.5);
    assert.equal(await page.locator(".steps [aria-current=step]").getAttribute("value"), "6");
  }),
);

test(
  "what a step changed is marked",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await step(page); // sent: neither figure is another one
    assert.equal(await page.locator(".figure.changed").count(), 0);
    await step(page);
    assert.deepEqual(await page.locator(".figure.changed h2").allInnerTexts(), ["Truth"]);
    assert.ok(
      (await page.locator(".durable .entry.changed").allInnerTexts()).some((entry) =>
        /balance\s+100/.test(entry),
      ),
    );
  }),
);

test(
  "at the end a step takes the protocol's own, until there is none",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await press(page, "ui.key.last");
    assert.equal(await position(page), "6 / 6");
    await step(page);
    assert.equal(await position(page), "7 / 7");
    assert.match((await steps(page)).at(-1), /^send b: −30/);

    await step(page, 5); // written, answered; c sent, written, answered
    assert.match((await steps(page)).at(-1), /^reply/);
    assert.equal(await page.locator(".transport button.step").isEnabled(), false);
    assert.equal(await page.locator(".step-choice .word").innerText(), WORDS.en["ui.nothing_left"]);
  }),
);

test(
  "a run plays by itself, stops when told to and at its end",
  onPage(async (page) => {
    const play = page.getByRole("button", { name: WORDS.en["ui.key.play"] });
    await page.selectOption(".pace", "fast");
    await play.click();
    assert.equal(await play.getAttribute("aria-pressed"), "true");
    await page.locator(".position", { hasText: /^2 / }).waitFor();
    await play.click();
    assert.equal(await play.getAttribute("aria-pressed"), "false");

    await choosePreset(page, "reply_first"); // ends with a crash, after which a restart is possible
    await choosePreset(page, "set_versioned"); // both operations are answered at its end
    await play.click();
    await page.locator(".position", { hasText: "6 / 6" }).waitFor();
    await page
      .locator("[aria-pressed=false]", { has: page.locator(".icon") })
      .first()
      .waitFor();
    assert.equal(await play.getAttribute("aria-pressed"), "false");
  }),
);

test(
  "acting differently in the past opens a branch and keeps both",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await press(page, "ui.key.last");
    const both = async () => [await shown(page), await steps(page)];
    const first = await both();
    const branches = page.getByLabel(WORDS.en["ui.branches"]);
    const options = () => branches.locator("option:not([value=new])").allInnerTexts();
    assert.deepEqual(await options(), ["Run 1: 6 steps"]);

    await seek(page, 2);
    await take(page, "reply"); // where the recorded run loses the reply
    assert.equal(await position(page), "3 / 3");
    assert.deepEqual(await options(), ["Run 1: 6 steps", "Run 2: differs after 2"]);
    await step(page, 2);
    const second = await both();
    assert.equal(second[0].position, "5 / 5");

    await branches.selectOption({ label: "Run 1: 6 steps" });
    assert.deepEqual(await both(), first);
    await branches.selectOption({ label: "Run 2: differs after 2" });
    assert.deepEqual(await both(), second);
  }),
);

test(
  "taking the recorded step again opens no branch",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await seek(page, 2);
    await choose(page, "lose_reply");
    assert.equal(await position(page), "3 / 6");
    const branches = page.getByLabel(WORDS.en["ui.branches"]).locator("option:not([value=new])");
    assert.equal(await branches.count(), 1);
  }),
);

test(
  "many branches stay, each with its own steps",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    for (const name of ["reply", "crash"]) {
      await seek(page, 2);
      await (name === "crash" ? choose(page, "crash") : take(page, name));
    }
    assert.match((await steps(page)).at(-1), /^crash/);
    await page.keyboard.press("[");
    assert.match((await steps(page)).at(-1), /^reply/);
    await page.keyboard.press("[");
    assert.equal(await truth(page), "200");
    await page.keyboard.press("[");
    assert.match((await steps(page)).at(-1), /^crash/);
    await page.keyboard.press("]");
    assert.equal(await truth(page), "200");
  }),
);

test(
  "a run that is as long as it may be says so, and can still be looked at",
  onPage({ hash: "#v=1&lab=balance&handler=&run=deliver+1+a*10000" }, async (page) => {
    assert.equal(await position(page), "10000 / 10000");
    await step(page);
    assert.equal(await position(page), "10000 / 10000");
    assert.match(await notice(page), /at most 10.000 actions/);
    await press(page, "ui.key.back");
    assert.equal(await position(page), "9999 / 10000");
  }),
);
