import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCondition } from '../../src/policy/guardrails/condition.ts';
import { buildRuleSubject } from '../../src/policy/guardrails/buildRuleSubject.ts';
import { runScript } from '../../src/policy/guardrails/runScript.ts';
import { under } from '../figure.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

/** Rounds whose median counts; each asks a condition many times. */
const ROUNDS = 50;
const ASKED = 2_000;
const SCRIPTS = 20;
/** Longest a script may take, ms; it is killed then. */
const LIMIT_MS = 5_000;

const JOB = { id: 'bench-1', workflowPath: 'workflows/job.md', params: {}, interactive: false };
/** A branch of a size that still passes, and a condition that looks at every file of it. */
const SUBJECT = buildRuleSubject(JOB, {
  moment: 'write.before',
  tool: 'create_pr',
  args: { repo: 'acme/shop', head: 'work', title: 'Work' },
  diff: {
    paths: Array.from({ length: 20 }, (_, n) => `src/folder/file${n}.ts`),
    lines: 900,
    added: [],
    hash: 'h',
  },
});
const CONDITION =
  'diff.lines > 1000 || (tool == "create_pr" && diff.paths.exists(p, path(p, "infra/**")))';

/** What one rule of a person's own costs where it is asked. */
export const guardrailsRow: Row = {
  figures: ['guardrails.condition', 'guardrails.script'],
  async measure(lab, note) {
    const parsed = parseCondition(CONDITION);
    if ('mistake' in parsed) throw new Error(parsed.mistake.message);
    const rounds: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const from = performance.now();
      for (let call = 0; call < ASKED; call++) parsed.condition(SUBJECT);
      rounds.push(((performance.now() - from) * 1000) / ASKED);
    }
    note(`the condition looks at ${SUBJECT.diff?.paths.length} files`);
    const file = join(lab.folder('guardrails'), 'rule.sh');
    writeFileSync(file, 'cat > /dev/null\nexit 0\n');
    chmodSync(file, 0o700);
    const scripts: number[] = [];
    for (let n = 0; n < SCRIPTS; n++) {
      const from = performance.now();
      const { result } = await runScript(file, JSON.stringify(SUBJECT), LIMIT_MS);
      if (result !== 'pass') throw new Error(`the script says ${result}`);
      scripts.push(performance.now() - from);
    }
    return {
      'guardrails.condition': under({ value: median(rounds), unit: 'us', target: 50 }),
      'guardrails.script': under({ value: median(scripts), unit: 'ms', target: LIMIT_MS }),
    };
  },
};
