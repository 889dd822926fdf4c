import type { Play, Scene, ToolAnswer, Call } from '../../../demo/model/script.ts';

export const MARKER = 'shipped';

type Part = Generator<Call, string, ToolAnswer>;

function stateIn(system: string): { id: string; others: { id: string; of: string }[] } {
  const state = /^# The job\n[\s\S]*?```json\n([\s\S]*?)\n```/m.exec(system)?.[1] ?? '{}';
  const { job, artefactsOfOthers = [] } = JSON.parse(state);
  return { id: String(job.id), others: artefactsOfOthers };
}

/** The tool of the job's own forge: its prompt writes out which that is. */
function ownTool(system: string, verb: string): string {
  const tool = new RegExp(`\`mcp__svc__((?!scm_)[a-z]+_${verb})`).exec(system)?.[1];
  if (!tool) throw new Error(`the prompt names no ${verb}`);
  return tool;
}

const readAnswer = ({ text, failed }: ToolAnswer): string => {
  if (failed) throw new Error(text);
  return text;
};

/** Asks the external server, where there is one: every phase is then offered it. */
function* askServer({ offered }: Pick<Scene, 'offered'>): Generator<Call, void, ToolAnswer> {
  const tool = 'mcp__docs__find';
  if (offered.includes(tool)) readAnswer(yield { tool, args: { what: 'retries' } });
}

function* planning({ system, offered }: Scene): Part {
  yield* askServer({ offered });
  const isCampaign = system.includes('# From a large description to sub-runs');
  if (isCampaign) {
    for (const [name, dependsOn] of [
      ['parser', []],
      ['printer', ['parser']],
    ] as const) {
      const description = `The part ${name}. @@${MARKER}`;
      readAnswer(yield { svc: 'register_sub_run', args: { name, description, dependsOn } });
    }
  } else {
    const items = [{ id: 'retry', title: 'Retry uploads' }];
    readAnswer(yield { svc: 'set_work_items', args: { items } });
  }
  const plan = { kind: 'plan-md', title: 'The plan', content: '# The plan\n\nTry it again.' };
  readAnswer(yield { svc: 'post_artifact', args: plan });
  if (isCampaign) readAnswer(yield { svc: 'finalize_sub_runs' });
  return 'It is planned.';
}

function* coding({ system, said, offered }: Scene): Part {
  const [kickoff = ''] = said;
  if (/^Phase coding.* was merged\.$/m.test(kickoff)) return 'It is merged.';
  if (!kickoff.includes('> Try it again.')) throw new Error('the kickoff has no plan');
  yield* askServer({ offered });
  const { id, others } = stateIn(system);
  const isSubRun = system.includes('# One part of a campaign');
  if (!isSubRun)
    readAnswer(yield { svc: 'update_work_item', args: { id: 'retry', status: 'in-progress' } });
  for (const { id: artefact } of others)
    readAnswer(yield { svc: 'get_artifacts', args: { id: artefact } });
  const base = /- Base branch: `(.+?)`/.exec(kickoff)?.[1] ?? '';
  const head = `svc/${id}`;
  const begin = `git fetch -q origin && git switch -q -c ${head} origin/${base}`;
  readAnswer(
    yield { shell: `${begin} && echo ${id} > ${id}.txt && git add -A && git commit -q -m ${id}` },
  );
  const args = { head, title: `The change of ${id}`, body: 'Why.' };
  const { prId } = JSON.parse(readAnswer(yield { svc: ownTool(system, 'create_pr'), args }));
  const note = { kind: 'note-md', title: 'A note', content: `What ${id} has found.` };
  readAnswer(yield { svc: 'post_artifact', args: note });
  readAnswer(
    yield { svc: 'await_event', args: { prId, ...(isSubRun ? { resumePhase: 'coding' } : {}) } },
  );
  return 'It waits.';
}

function* testing(scene: Scene): Part {
  yield* askServer(scene);
  readAnswer(yield { shell: 'git fetch -q origin && git switch -q --detach origin/HEAD' });
  readAnswer(yield { svc: 'add_insight', args: { category: 'test-result', text: 'It works.' } });
  return 'It is tested.';
}

function* evaluation(scene: Scene): Part {
  yield* askServer(scene);
  readAnswer(yield { svc: 'update_work_item', args: { id: 'retry', status: 'complete' } });
  return 'It is done.';
}

function* reporting({ offered }: Scene): Part {
  yield* askServer({ offered });
  const merging = offered.filter((name) => /_(?:merge|approve)_pr$/.test(name));
  if (merging.length > 0) throw new Error(`offered: ${merging.join(', ')}`);
  const report = { kind: 'report-md', title: 'The report', content: '# The report' };
  readAnswer(yield { svc: 'post_artifact', args: report });
  return 'It is reported.';
}

const PARTS: Readonly<Record<string, (scene: Scene) => Part>> = {
  planning,
  coding,
  testing,
  evaluation,
  reporting,
  aggregating: reporting,
};

/** A model that does in every shipped phase what its agent is asked to do. */
export const shipped: Play = function* (scene) {
  const phase = /^# Your part: phase (.+)$/m.exec(scene.system)?.[1] ?? '';
  const part = PARTS[phase];
  if (!part) throw new Error(`no one plays the phase ${phase}`);
  return yield* part(scene);
};
