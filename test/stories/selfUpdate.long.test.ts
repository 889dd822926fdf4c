import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: a self-update');

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
`;

/** Forgets its work item, which the completion gate notices. */
const CODER = `
if (kickoff.includes('[completion-gate]')) tool('update_work_item', { id: 'a', status: 'complete' });
else tool('set_work_items', { items: [{ id: 'a', title: 'A' }] });
`;

const READER = `
const [sum] = tool('list_evidence').phases;
const { quotes } = tool('list_evidence', { workflow: sum.workflow, phase: sum.phase });
tool('post_artifact', { kind: 'evidence-md', title: 'Evidence', content: JSON.stringify({ sum, quotes }) });
`;

const PROPOSER = `
const found = tool('get_artifacts').artefacts.find(({ kind }) => kind === 'evidence-md');
const { sum, quotes } = JSON.parse(tool('get_artifacts', { id: found.id }).text);
const said = quotes.find(({ kind }) => kind === 'message');
tool('propose_change', {
  kind: 'memory',
  description: sum.gateBlocks + ' gate block and a message in ' + sum.examples.join(', ') + ':\\n\\n> ' + said.text,
  files: [{ path: 'memory/items.md', text: '# Work items\\n\\nClose each work item.\\n' }],
});
tool('post_artifact', { kind: 'report-md', title: 'Self-update', content: 'One proposal.' });
`;

test(
  'it reads what an ended job shows, and proposes with it; nothing is live before a person decides (INT-11)',
  story(
    {
      workflow: WORKFLOW,
      programs: { coder: CODER, 'evidence-reader': READER, 'change-proposer': PROPOSER },
    },
    async (it) => {
      const endedId = await it.job();
      await it.client.message(endedId, { message: 'Close your work items.' });
      await it.until(endedId, (job) => job.ended);
      const { jobId } = await it.client.createJob({
        type: 'job',
        workflowPath: 'workflows/self-update.md',
        params: {},
      });
      const job = await it.until(jobId, (one) => one.ended);
      assert.is(job.status, 'complete', job.escalationMessage ?? '');
      assert.is(job.type, 'self-update');
      const { proposals } = await it.client.proposals({ job: jobId });
      assert.equal(
        proposals.map(({ description, paths }) => [description, paths]),
        [
          [
            `1 gate block and a message in ${endedId}:\n\n> Close your work items.`,
            ['memory/items.md'],
          ],
        ],
      );
      assert.not(existsSync(join(it.dir, 'tenant', 'memory', 'items.md')));
    },
  ),
);

test.run();
