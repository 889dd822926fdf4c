import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Play } from '../../../demo/model/script.ts';
import { type ModelServer, openModelServer } from '../../../demo/model/server.ts';
import type { MessageReceipt } from '../../../src/contract/schema/session/message.ts';
import { FAKE_AGENT } from './builtAcpAgent.ts';
import { fileIsThere } from './executorContract/stage.ts';
import { PATIENCE_MS } from '../inTime.ts';
import { Looks } from '../looks.ts';
import { Story } from '../story.ts';

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding }
`;

const MODEL = 'claude-sonnet-4-5';

/** Agents that a story can have; both ask the same scripted model. */
export type AgentKind = 'builtin' | 'acp';

const createAgentConfig = (kind: AgentKind, modelUrl: string) =>
  kind === 'builtin'
    ? { api: 'anthropic', baseUrl: modelUrl, apiKey: 'key-of-the-story', model: MODEL }
    : {
        preset: 'custom',
        command: FAKE_AGENT.join(' '),
        key: modelUrl,
        keyVariable: 'ANTHROPIC_BASE_URL',
      };

export interface AgentStory {
  it: Story;
  model: ModelServer;
  jobId: string;
  receipts(isEnough: (receipts: readonly MessageReceipt[]) => boolean): Promise<MessageReceipt[]>;
  /** What the agent has written into a file of the checkout, as soon as it exists. */
  written(name: string): Promise<string>;
}

/** Tells a story of one agent: `worker` is what its model plays. Ends everything at the end. */
export async function agentStory(
  kind: AgentKind,
  worker: Play,
  tell: (story: AgentStory) => Promise<void>,
): Promise<void> {
  await using model = await openModelServer({ scripts: { worker } });
  const it = new Story({
    workflow: WORKFLOW,
    programs: {},
    tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\n@@worker\n' },
    config: {
      llm: { defaultProvider: kind },
      plugins: { installed: { [kind]: { config: createAgentConfig(kind, model.url) } } },
      runner: { stopGraceSeconds: 2 },
    },
  });
  try {
    await it.runner.start();
    const jobId = await it.job();
    await tell({
      it,
      model,
      jobId,
      async receipts(isEnough) {
        const looks = new Looks();
        for (const deadline = Date.now() + PATIENCE_MS; ; await looks.pause()) {
          const messages = (await it.client.messages(jobId)).messages;
          if (isEnough(messages)) return messages;
          if (Date.now() > deadline)
            throw new Error(`the messages did not get there: ${JSON.stringify(messages, null, 2)}`);
        }
      },
      async written(name) {
        const { params } = await it.until(
          jobId,
          (job) => job.params.repoCheckoutAbsDir !== undefined,
        );
        const file = join(String(params.repoCheckoutAbsDir), name);
        await fileIsThere(file);
        return (await readFile(file, 'utf8')).trim();
      },
    });
  } finally {
    await it.end();
  }
}
