// Drives one Chromium or Firefox for the tests. A line of JSON [method, …arguments] on standard input is answered by one
// line {"value"} or {"error"}: `node drive.mjs chromium /usr/bin/chromium`.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

const [name, executablePath] = process.argv.slice(2);
const blocked = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";
const patience = 120_000;  // milliseconds: on a busy machine a page may take long, and slow is not wrong
const browser = await puppeteer.launch({
  timeout: patience, protocolTimeout: 2 * patience,
  browser: name === "firefox" ? "firefox" : "chrome", executablePath, headless: true,
  args: name === "firefox" ? [] : ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", blocked],
  extraPrefsFirefox: { "browser.shell.checkDefaultBrowser": false, "network.dns.localDomains": "" },
});
let context, page, asked, said;

const methods = {
  // A new page in a fresh profile; what it asks for and what its console says is kept from here on.
  async fresh() {
    await context?.close();
    context = await browser.createBrowserContext();
    page = await context.newPage();
    page.setDefaultTimeout(patience);
    [asked, said] = [[], []];
    page.on("request", request => asked.push(request.url()));
    page.on("console", message => said.push(message.text()));
    page.on("pageerror", error => said.push(`uncaught: ${error.message}`));
  },
  goto: (url, waitUntil = "load") => page.goto(url, { waitUntil }).then(() => null),
  back: () => page.goBack().then(() => null),
  // The body of an async function, run in the page.
  run: body => page.evaluate(`(async () => { ${body} })()`),
  // The same in the first frame of the page.
  framed: body => page.frames().find(frame => frame.parentFrame()).evaluate(`(async () => { ${body} })()`),
  inject: path => page.evaluate(`${readFileSync(path, "utf8")}; null`),
  before: body => page.evaluateOnNewDocument(body).then(() => null),
  click: selector => page.locator(selector).click(),
  hover: selector => page.hover(selector),
  focus: selector => page.focus(selector),
  type: text => page.keyboard.type(text),
  press: (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve()),
  viewport: (width, height) => page.setViewport({ width, height }),
  media: (feature, value) => page.emulateMediaFeatures([{ name: feature, value }]),
  medium: type => page.emulateMediaType(type),
  screenshot: path => page.screenshot({ path, fullPage: true }).then(() => null),
  asked: () => asked,
  said: () => said,
  workers: () => page.workers().map(worker => worker.url()),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [method, ...given] = JSON.parse(line);
  let answer;
  try {
    answer = { value: await methods[method](...given) ?? null };
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
