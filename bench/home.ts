import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  PARKING_WORKFLOW_FILE,
  SPEAKING_WORKFLOW_FILE,
  SPEAKING_WORKFLOW_PATH,
  WORKFLOW_PATH,
} from './benchWorkflow.ts';

/** Token of every runner of the benches; requests that change something need it. */
export const BENCH_TOKEN = 'the-token-of-every-runner-of-the-benches-0123';

const FILES: Readonly<Record<string, string>> = {
  [WORKFLOW_PATH]: PARKING_WORKFLOW_FILE,
  [SPEAKING_WORKFLOW_PATH]: SPEAKING_WORKFLOW_FILE,
  'agents/bench.md': '---\ndescription: speaks\n---\n\nAn agent of the benches.\n',
};

/** Makes a folder the home of a runner that knows the workflows of the benches. */
export function writeHome(home: string): void {
  const overlay = join(home, 'overlay');
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(overlay, path)), { recursive: true });
    writeFileSync(join(overlay, path), text);
  }
  writeFileSync(join(home, 'runner.token'), BENCH_TOKEN, { mode: 0o600 });
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ tenant: { overlay: { kind: 'localDir', path: overlay } } }),
  );
}
