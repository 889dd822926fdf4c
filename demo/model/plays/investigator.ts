import type { Call, Play } from '../script.ts';

const createToolCall = (tool: string, args: Record<string, unknown>): Call => ({ tool, args });

/** Plan mode: finds out why the tests of the demo's repository fail, without running anything. */
export const playInvestigator: Play = function* () {
  yield createToolCall('scm_list_files', { repo: 'titles' });
  yield createToolCall('scm_read_file', { repo: 'titles', path: 'test/slugify.test.js' });
  const { text } = yield createToolCall('scm_read_file', {
    repo: 'titles',
    path: 'src/slugify.js',
  });
  const [, line = '1'] = /^(\d+)\t.*\[\^a-z0-9\]/m.exec(text) ?? [];
  return `The pattern in \`src/slugify.js:${line}\` takes accented letters out instead of turning them
into plain ones, so “Crème brûlée” becomes “cr-me-br-l-e”.

<findings>
# Accented letters are lost in slugs

## Current behaviour

\`src/slugify.js:${line}\` replaces everything but a to z and 0 to 9 by a dash. The test in
\`test/slugify.test.js:9\` expects \`creme-brulee\`.

## Proposed change

Normalise the title to NFD and remove the combining marks before the pattern is applied. No new file
is needed; \`NEW:test/marks.test.js\` may hold more cases.

## How to verify

\`npm test\`
</findings>
<run>
{ "workflowPath": "workflows/job.md", "repoSlug": "titles", "description": "The tests of this repository fail. Find out why and fix it.", "reviewers": ["reviewer"] }
</run>
<readiness>
{ "state": "ready", "openQuestions": [], "note": "one line to change" }
</readiness>
`;
};
