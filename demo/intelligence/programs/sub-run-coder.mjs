// One part of the campaign: writes its files with their tests, publishes its contract, opens a pull
// request and waits for it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PARTS } from './parts.mjs';
import { git, kickoff, onBase, params, publish, runTests, tool } from './svc.mjs';

const given = params();
const { description } = given;
const [name, part] = Object.entries(PARTS).find(([, { source }]) => description.startsWith(source));
const branch = `svc/${name}`;
const local = git('branch', '--list', branch);

if (/ was merged\b/.test(kickoff()) && local !== '') {
  console.log('merged: this part is done');
  process.exit(0);
}
for (const [param, question] of Object.entries(part.needs ?? {})) {
  if (given[param] !== undefined) continue;
  tool('escalate', { message: question });
  process.exit(0);
}

// A session may start again after a crash: existing work is kept.
if (local === '') {
  onBase();
  git('switch', '--quiet', '-c', branch);
} else {
  git('switch', '--quiet', branch);
}
for (const [path, text] of Object.entries(part.files(given))) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const tests = runTests();
if (!tests.passed) {
  tool('escalate', { message: `The tests fail: ${tests.failed.join('; ')}` });
  process.exit(0);
}
git('add', '--all');
if (git('status', '--porcelain') !== '') git('commit', '--quiet', '-m', part.title);
if (part.produces) publish(`${name}.json`, { child_name: name, produces: [part.produces] });
for (const insight of part.insights) tool('add_insight', insight);

const pr = tool('local_create_pr', { head: branch, title: part.title, body: description });
console.log(`pull request ${pr.prId}`);
tool('await_event', { prId: pr.prId, resumePhase: 'coding' });
