// English and Chinese: both complete, and switched without losing anything.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  WORDS,
  cell,
  choose,
  choosePreset,
  close,
  faultButton,
  headline,
  mapReady,
  onPage,
  openTab,
  position,
  press,
  seek,
  shown,
  windowCell,
  words,
} from "./harness.mjs";

after(close);

const PRESETS = Object.keys(WORDS.en)
  .map((key) => key.match(/^balance\.preset\.(\w+)$/)?.[1])
  .filter(Boolean);

/** Every text that the page shows, or says to a screen reader, or shows under the mouse. */
const texts = (page) =>
  page.evaluate(() => {
    const found = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.parentElement.closest("script, style, noscript, kbd")) continue;
      if (node.data.trim()) found.add(node.data.trim());
    }
    for (const element of document.querySelectorAll("*")) {
      for (const name of ["aria-label", "title", "placeholder", "alt", "label"]) {
        if (element.getAttribute(name)) found.add(element.getAttribute(name));
      }
    }
    return [document.title, ...found];
  });

// What is the same in every language: names, keys, formulas, and the ids of the operations.
const SAME = /Effectively Once|English|f\(f\(S,e\),e\) = f\(S,e\)|price-\d|ID|Map|Shift|JSON|=\d+/g;

/** Texts that are no Chinese, of those that the page shows in Chinese. */
const foreign = (all) => all.filter((text) => /[A-Za-z]{2,}/.test(text.replace(SAME, "")));

/** Texts that are keys, for want of a sentence. */
const leftKeys = (all) => {
  const heads = new Set(Object.keys(WORDS.en).map((key) => key.split(".")[0]));
  return all.filter((text) => new RegExp(`\\b(${[...heads].join("|")})\\.[a-z_]+`).test(text));
};

for (const [locale, tag] of [
  ["en-GB", "en"],
  ["zh-CN", "zh-CN"],
  ["zh-TW", "zh-CN"],
  ["fr-FR", "en"],
]) {
  test(
    `a browser that asks for ${locale} gets ${tag}`,
    onPage({ locale }, async (page) => {
      assert.equal(await page.getAttribute("html", "lang"), tag);
      assert.equal(await headline(page), (await words(page))["headline.nothing"]);
      assert.equal(await page.title(), (await words(page))["ui.title"]);
    }),
  );
}

test(
  "the language is switched and back in the middle of a run, which stays",
  onPage(async (page) => {
    await choosePreset(page, "plain");
    await seek(page, 2);
    await choose(page, "crash");
    await openTab(page, "choices");
    const english = await shown(page);

    await page.getByRole("button", { name: "中文" }).click();
    assert.equal(await headline(page), WORDS.zh["headline.unknown"]);
    assert.equal(await position(page), english.position);
    assert.equal(await page.getAttribute("#tab-choices", "aria-selected"), "true");
    const branches = page.getByLabel(WORDS.zh["ui.branches"]).locator("option").filter({ hasText: /^运行/ });
    assert.equal(await branches.count(), 2);

    await page.getByRole("button", { name: "English" }).click();
    assert.deepEqual(await shown(page), english);
  }),
);

test(
  "what was typed and refused stays through a switch, with its message in the other language",
  onPage(async (page) => {
    await openTab(page, "rows");
    await cell(page, 0, 1).fill("12.5");
    await page.getByRole("button", { name: "中文" }).click();
    assert.equal(await cell(page, 0, 1).inputValue(), "12.5");
    assert.equal(await page.locator(".field-problem").innerText(), WORDS.zh["problem.not_an_integer"]);
  }),
);

test(
  "a notice follows the language",
  onPage({ hash: "#v=1&lab=balance&run=jump" }, async (page) => {
    await page.getByRole("button", { name: "中文" }).click();
    assert.match(await page.locator(".notice span").innerText(), /链接没有打开/);
  }),
);

test(
  "the language is kept for the next visit",
  onPage(async (page) => {
    await page.getByRole("button", { name: "中文" }).click();
    await page.reload();
    await page.waitForFunction(() => window.started);
    assert.equal(await page.getAttribute("html", "lang"), "zh-CN");
    page.trouble.late = []; // what the page is made of was asked for once more
  }),
);

for (const [locale, language] of [
  ["en-US", "en"],
  ["zh-CN", "zh"],
]) {
  for (const preset of PRESETS) {
    test(
      `every text of the design ${preset} is there in ${language}`,
      onPage({ locale }, async (page) => {
        await choosePreset(page, preset);
        assert.equal(await page.innerText(".story"), WORDS[language][`balance.preset.${preset}.story`]);
        const all = new Set(await texts(page));
        for (const tab of ["steps", "choices", "rows"]) {
          await openTab(page, tab);
          for (const text of await texts(page)) all.add(text);
        }
        // The whole run, with every menu that opens on the way.
        const length = Number((await position(page)).split(" / ")[1]);
        for (let at = 0; at <= length; at++) {
          await seek(page, at);
          for (const kind of ["crash", "duplicate", "lose_reply", "reorder", "other_content"]) {
            const button = await faultButton(page, kind);
            if (!(await button.locator(".count.shown").count())) continue;
            await button.click();
            await page.getByRole("menu").waitFor();
            for (const text of await texts(page)) all.add(text);
            await page.keyboard.press("Escape");
          }
          for (const text of await texts(page)) all.add(text);
        }
        assert.deepEqual(leftKeys([...all]), []);
        if (language === "zh") assert.deepEqual(foreign([...all]), []);
      }),
    );
  }

  test(
    `every text of the sheet, the text view, the notices and the refusals is there in ${language}`,
    onPage({ locale }, async (page) => {
      const all = await texts(page);
      await press(page, "ui.key.help");
      await page.getByRole("dialog").waitFor();
      all.push(...(await texts(page)));
      await page.keyboard.press("Escape");
      await press(page, "ui.as_text");
      all.push(...(await texts(page)));
      await press(page, "ui.as_text");
      await choosePreset(page, "plain");
      await mapReady(page);
      await windowCell(page, 2, "crash").hover();
      all.push(...(await texts(page)));
      await windowCell(page, 2, "crash").click();
      await press(page, "ui.fix");
      await page.locator(".fix.found").waitFor();
      all.push(...(await texts(page)));
      await choosePreset(page, "correct");
      await openTab(page, "rows");
      await cell(page, 0, 0).fill("");
      await cell(page, 1, 0).fill("x".repeat(201));
      await cell(page, 0, 1).fill("1.5");
      assert.equal(await page.locator(".field-problem:visible").count(), 3);
      all.push(...(await texts(page)));
      await page.keyboard.press("Tab");
      await press(page, "ui.copy_link");
      await page.locator(".notice").waitFor();
      all.push(...(await texts(page)));
      for (let lines = 3; lines > 0; lines--) await page.locator(".records button.small").last().click();
      await page.locator(".notice.bad").waitFor();
      all.push(...(await texts(page)));
      assert.deepEqual(leftKeys(all), []);
      if (language === "zh") assert.deepEqual(foreign(all), []);
    }),
  );
}
