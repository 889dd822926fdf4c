import { chromium } from 'playwright-core';
import { Story } from '/work/main/test/support/story.ts';
import { RunnerProcess } from '/work/main/demo/runnerProcess.ts';
import { join } from 'node:path';
const WF = `
id: story
initial_phase: planning
phases:
  - { name: planning, agent: agents/planner.md, status: planning, interactive_checkpoint: true }
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }
`;
const it = new Story({ workflow: WF, programs: { planner: "writeFileSync('plan.md','# Plan'); tool('post_artifact', {kind:'plan-md', title:'Plan', path:'plan.md'});", coder: "await waitForEver();", tester: "console.log('x')" } });
const runner = new RunnerProcess(it.home, '/tmp/priv/cli/bin/run.js');
Object.assign(it, { runner });
await runner.start();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const id = await it.job();
  await it.until(id, (j) => j.parked !== null || j.ended);
  const script = process.argv[2]!;
  const { default: run } = await import(script);
  await run({ it, browser, id, base: runner.url, token: runner.token });
} finally { await browser.close(); await it.end(); }
