import { posix } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles, read } from '../../scripts/checks/projectFiles.ts';

const test = suite('house: questions of a new reader');

/** What a new reader asks, and the one file that answers it. */
const QUESTIONS: readonly (readonly [question: string, file: string])[] = [
  ['Which states can a job be in, and what leaves each?', 'machines/job/job.ts'],
  ['Where is it decided that a comment wakes a job?', 'machines/job/rules/wakeMatch.ts'],
  ['What happens to a message that arrives while a tool runs?', 'machines/steering/steering.ts'],
  ['What is in the system prompt of a phase?', 'src/workflows/overlay/prompt.ts'],
  ['Where does an effect get its second chance after a crash?', 'src/kernel/recoverEffects.ts'],
  ['Who grants a slot, and by which rule?', 'src/jobs/slots/slots.ts'],
  ['Where is the completion gate?', 'machines/job/rules/completionGate.ts'],
  ['What does an approval cover?', 'machines/job/rules/approval.ts'],
  ['Who checks an approval?', 'machines/job/rules/checkpoints.ts'],
  ['How is a pull request of GitHub read?', 'src/providers/github/forge/readGithubPullRequest.ts'],
  ['Where would I add a forge?', 'src/contract/forge/forge.ts'],
  ['Where is the signature of a webhook checked?', 'src/providers/hooks/signature.ts'],
  ['How does a webhook become a job?', 'src/forges/inbound/triggers.ts'],
  ['Which secrets are removed from what, and where?', 'src/base/secrets/screenSecrets.ts'],
  [
    'What may the repository layer do before it is trusted?',
    'src/workflows/overlay/buildRepoLayer.ts',
  ],
  [
    'Where are the tools that an agent sees listed?',
    'src/executors/tools/catalogue/buildToolCatalogue.ts',
  ],
  ['Where would I add a tool?', 'src/executors/tools/tool.ts'],
  ['How is a sub-run chosen to start next?', 'machines/subRuns/advanceCampaign.ts'],
  ['What happens when a sub-run fails under each policy?', 'machines/subRuns/subRuns.ts'],
  ['Which table holds prMappings?', 'src/contract/records/tables.ts'],
  ['Who writes the rows of prMappings?', 'machines/job/rows.ts'],
  ['Where is a migration of the store?', 'src/jobs/store/migrations/unreleased.ts'],
  ['How does a chart of an older version restore?', 'machines/job/migrations.ts'],
  ['Where is the HTTP error format?', 'src/api/server/replies/problems.ts'],
  ['Which routes need the token?', 'src/api/server/gates/access.ts'],
  ['What sends the frames of the stream?', 'src/jobs/views/history/streams.ts'],
  ['How does the CLI find the runner?', 'cli/remote/resolveConnection.ts'],
  ['Where are the defaults of the configuration?', 'src/host/config/configSchema.ts'],
  ['How does a plugin run, and what can it reach?', 'src/plugins/pluginHost.ts'],
  ['Where would I add an executor?', 'src/contract/session/executor.ts'],
  ['How does the dashboard know that a job changed?', 'ui/jobs/page/followJobPage.ts'],
  ['Where is the clock, and who may read it?', 'src/base/time/clock.ts'],
];

const MAX_MAP_LINES = 150;

const files = projectFiles();
const map = read('ARCHITECTURE.md');

const codeSpans = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);

/**
 * Folders that the map names, without a slash at the end. The second cell of a row of the map names
 * folders below that of the first cell.
 */
const folders = new Set(
  map
    .split('\n')
    .flatMap((line) => {
      const [, first = '', second = ''] = line.split('|');
      const roots = codeSpans(first);
      const below = codeSpans(second).flatMap((name) =>
        roots.map((root) => posix.join(root, name)),
      );
      return [...codeSpans(line), ...below];
    })
    .map((name) => name.replace(/\/$/, '')),
);

/** Whether the map names a file or its folder, in which the names of files say the rest. */
const isNear = (file: string): boolean =>
  codeSpans(map).includes(file) || folders.has(posix.dirname(file));

test('the map has at most 150 lines', () => {
  assert.ok(map.trimEnd().split('\n').length <= MAX_MAP_LINES);
});

for (const [question, file] of QUESTIONS) {
  test(`${question} Two steps from the map lead to ${file}.`, () => {
    assert.ok(files.includes(file), `${file} does not exist`);
    assert.ok(isNear(file), `ARCHITECTURE.md does not lead to ${file}`);
  });
}

test.run();
