import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openModelServer } from '../../demo/model/server.ts';
import { SPEAKING_WORKFLOW_PATH } from '../benchWorkflow.ts';
import { under } from '../figure.ts';
import { writeHome } from '../home.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import type { Row } from './row.ts';

/**
 * Sessions before the first look, so that what all of them share is loaded, and those that are
 * counted.
 */
const FIRST = 2;
const MORE = 10;
/** Until the memory is read after the last session has begun, ms. */
const SETTLE_MS = 3_000;

/** What a session of the builtin agent takes of the runner's memory while its model answers. */
export const builtinRow: Row = {
  figures: ['builtin.session'],
  async measure(lab, note) {
    const program = await lab.program();
    const home = lab.folder('builtin');
    await using model = await openModelServer({
      scripts: { hang: [{ say: 'I think about it.', hang: 'midway' }] },
    });
    writeHome(home);
    const config = {
      api: 'anthropic',
      baseUrl: model.url,
      apiKey: 'bench',
      model: 'claude-sonnet-4-5',
    };
    const settings = {
      tenant: { overlay: { kind: 'localDir', path: join(home, 'overlay') } },
      llm: { defaultProvider: 'builtin' },
      plugins: { installed: { builtin: { config } } },
      runner: { maxConcurrentJobs: FIRST + MORE },
    };
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
    writeFileSync(
      join(home, 'overlay/agents/bench.md'),
      '---\ndescription: thinks\n---\n\n@@hang\n',
    );
    const runner = await RunnerUnderTest.start(program, home);
    try {
      const connection = await HttpConnection.open(runner.port);
      const begin = async (sessions: number, all: number): Promise<number> => {
        const body = {
          type: 'job',
          workflowPath: SPEAKING_WORKFLOW_PATH,
          params: { description: 'think' },
        };
        for (let n = 0; n < sessions; n++)
          await connection.ask(requestBytes('POST', '/jobs', body));
        while (model.requests.played.length < all) await wait(50);
        await wait(SETTLE_MS);
        return runner.rss();
      };
      const before = await begin(FIRST, FIRST);
      const after = await begin(MORE, FIRST + MORE);
      connection.close();
      note(
        `the runner takes ${before.toFixed(0)} MiB with ${FIRST} sessions, ${after.toFixed(0)} MiB with ${FIRST + MORE}`,
      );
      return {
        'builtin.session': under({ value: (after - before) / MORE, unit: 'MiB', target: 15 }),
      };
    } finally {
      await runner.end('SIGTERM');
    }
  },
};
