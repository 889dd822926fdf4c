/**
 * npm run pictures: writes docs/images/ from the built svc, so that documents show the command line
 * and the dashboard of today. It plays `svc demo`, and the same job in a runner of its own.
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage } from '../support/browser/dashboardStage.ts';
import { renderTerminal } from '../support/browser/renderTerminal.ts';

const FOLDER = 'docs/images';
/** How long the demo may take on a busy machine, ms. */
const DEMO_MS = 300_000;
/** A change of the job's status; the lines of the runner beside it say the same in more words. */
const STATUS = '\u25cf';
/** What comes after this line is about the folder of this demo. */
const END = /^.*Complete: .*$/m;

/** What `svc demo` writes; its folder is below `tmp`. */
async function playDemo(tmp: string): Promise<string> {
  mkdirSync(tmp);
  const { stdout } = await promisify(execFile)(process.execPath, ['cli/bin/run.js', 'demo'], {
    env: { ...process.env, TMPDIR: tmp, FORCE_COLOR: '1' },
    timeout: DEMO_MS,
  });
  return stdout;
}

const stage = await DashboardStage.open();

/** Opens the page at a hash, waits for a selector, and saves what is seen of it. */
async function takePicture(name: string, hash: string, ready: string): Promise<void> {
  const page = await stage.page(hash, { colorScheme: 'light', deviceScaleFactor: 1.5 });
  await page.locator(ready).first().waitFor();
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await closePage(page);
  console.log(`${FOLDER}/${name}.png`);
}
try {
  const jobId = await stage.job(
    'job',
    'The tests of this repository fail. Find out why and fix it.',
    {
      reviewers: ['reviewer'],
    },
  );
  const { approval } = await stage.until(jobId, ({ parked }) => parked?.kind === 'approval');
  await takePicture('inbox', `#/inbox/${jobId}`, '.inbox-open .markdown .slice > *');
  await stage.client.resume(jobId, { eventKey: 'approve', shown: approval?.shown ?? '' });
  await stage.until(jobId, ({ parked }) => parked?.kind === 'event');
  await takePicture('job', `#/jobs/${jobId}`, '.timeline');
  await takePicture('chart', `#/jobs/${jobId}/chart`, '.node');
  await takePicture('review', `#/jobs/${jobId}/changes`, '.diff-file tr.added');
  const output = await playDemo(join(stage.dir, 'demo'));
  const end = END.exec(output);
  if (!end) throw new Error(`the demo did not complete:\n${output}`);
  const lines = output.slice(0, end.index + end[0].length).split('\n');
  const context = await stage.browser.newContext({ deviceScaleFactor: 1.5 });
  const page = await context.newPage();
  const text = lines.filter((line) => !line.includes(STATUS)).join('\n');
  await page.setContent(renderTerminal('svc demo', text));
  await page.locator('pre').screenshot({ path: join(FOLDER, 'demo.png') });
  console.log(`${FOLDER}/demo.png`);
} finally {
  await stage.close();
}
