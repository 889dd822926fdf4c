import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import { buildAgentConfig } from '../../demo/agents.ts';
import { openModelServer } from '../../demo/model/server.ts';
import { Story } from '../support/story.ts';
import type { AgentProgram } from './programs.ts';

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding }
`;

/** What the agent does: work that must succeed, and what must be refused. */
const SCRIPT = [
  { calls: [{ shell: 'cat ../../../config.json; curl -sS -m 3 http://169.254.169.254/' }] },
  { calls: [{ shell: 'echo x > added.md && git add --all && git commit -q -m "Add a file"' }] },
  { calls: [{ svc: 'add_insight', args: { category: 'convention', text: 'from inside' } }] },
  { say: 'Done.' },
];
/** A job of these programs, whose start alone can take half a minute on a busy machine, ms. */
const JOB_MS = 120_000;

/** Where the setting of the demo names the program, or the folder of the SDK. */
const chooseDirectory = ({ file }: AgentProgram, dir: string): string =>
  file.includes('claude-agent-sdk') ? dir : join(dir, file);

/** The real runner, with every session in the sandbox runtime. */
export async function worksInSandbox(program: AgentProgram, dir: string): Promise<void> {
  const model = await openModelServer({ scripts: { work: SCRIPT } });
  const story = new Story({
    workflow: WORKFLOW,
    programs: {},
    tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\nYou work.\n' },
    config: {
      ...buildAgentConfig(program.provider, {
        model: model.url,
        program: chooseDirectory(program, dir),
      }),
      runner: { sandbox: 'required', sandboxProfile: 'runtime' },
    },
  });
  try {
    await story.runner.start();
    const id = await story.job({ description: '@@work Begin' });
    const job = await story.until(id, ({ ended, parked }) => ended || parked !== null, JOB_MS);
    assert.equal(job.status, 'complete', job.reason ?? '');
    assert.equal(job.sandboxes?.[0]?.state, 'runtime');
    assert.deepEqual(
      job.insights.map(({ text }) => text),
      ['from inside'],
    );
    const requestText = JSON.stringify(model.requests.played.at(-1)?.body);
    assert.match(requestText, /config\.json: No such file/);
    const log = (await story.log(id)).join('\n');
    assert.match(log, /refused: deny network-outbound 169\.254\.169\.254/);
  } finally {
    await story.end();
    await model.close();
  }
}
