import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '../../../scripts/bundle.ts';

const built = mkdtempSync(join(tmpdir(), 'svc-fake-acp-'));
process.once('exit', () => rmSync(built, { recursive: true, force: true }));
await bundlePrograms([join(import.meta.dirname, 'fakeAcpAgent.ts')], built);

/** The fake agent, built: from its sources each process takes a second longer to start. */
export const FAKE_AGENT: readonly string[] = [process.execPath, join(built, 'fakeAcpAgent.js')];
