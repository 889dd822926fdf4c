import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_FINDINGS_CHARS } from '../../../src/base/limits/intakeLimits.ts';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { loadJobFindings } from '../../../src/jobs/create/loadJobFindings.ts';
import { CHAT, ChatStage } from '../../support/chats/chatStage.ts';

const test = suite('findings with which a job begins');

/** The file that a job gets of the chat. */
async function saveFindings(stage: ChatStage): Promise<string> {
  let file = '';
  const blobs = {
    put: async (bytes: Uint8Array) => {
      file = new TextDecoder().decode(bytes);
      return { sha256: sha256(bytes), size: bytes.byteLength };
    },
  };
  await loadJobFindings({ rows: stage.store.rows, blobs }, { investigationId: CHAT });
  return file;
}

test('they say how many texts from outside were read, as the person is shown them (JOB-13)', async () => {
  const stage = await ChatStage.open(async ({ look, say }) => {
    await look('scm_read_file', { path: 'ticket', trust: 'outside' });
    await look('scm_read_file', { path: 'ticket', trust: 'outside' });
    await look('scm_read_file', { path: 'src/a.ts' });
    // What a failed look-up answers is not trusted, but no one from outside was read.
    await look('scm_read_file', { path: 'missing.ts' });
    say('<findings>\nIt is in src/a.ts:1.\n</findings>');
    return undefined;
  });
  await stage.say('Where is it?');
  const file = await saveFindings(stage);
  assert.equal((await stage.intake.investigation(CHAT)).outside, ['ticket']);
  assert.match(file, '\noutsideSources: 1\n');
  await stage.close();
});

for (const [chars, isCut] of [
  [MAX_FINDINGS_CHARS - 1, false],
  [MAX_FINDINGS_CHARS + 1, true],
] as const)
  test(`the agent is ${isCut ? '' : 'not '}shown that findings were cut where the model wrote ${chars} characters`, async () => {
    const stage = await ChatStage.open(async ({ say }) => {
      say(`<findings>\n${'x'.repeat(chars - 1)}\n</findings>`);
      return undefined;
    });
    await stage.say('Write them');
    assert.is((await saveFindings(stage)).startsWith('---\ncut: true\n'), isCut);
    await stage.close();
  });

test.run();
