import Type from 'typebox';
import {
  DEFAULT_EVIDENCE_SINCE,
  EVIDENCE_QUOTES,
  MAX_EVIDENCE_JOBS,
  MAX_QUOTE_CHARS,
} from '../../../base/agents/selfUpdate.ts';
import { defineTool, createInputSchema, READS, type Tool, createTextField } from '../tool.ts';

const listEvidence = defineTool({
  name: 'list_evidence',
  title: 'List the evidence of ended jobs',
  description:
    'Returns what ended jobs of this runner show about workflows and agents. Only for jobs of the type self-update; one with a repository sees the jobs of that repository. ' +
    'Without a workflow: sums by workflow and phase (gate blocks, reruns, escalations, messages of people, ratings, refusals, costs). ' +
    `With one: also quotes of people and rules, newest first, at most ${EVIDENCE_QUOTES} of at most ${MAX_QUOTE_CHARS} characters; while nextOffset is not null there is more. ` +
    `Made of at most ${MAX_EVIDENCE_JOBS} jobs, those that ended last.`,
  input: createInputSchema({
    since: Type.Optional(
      createTextField(
        `Jobs that ended since then: 2026-11-20T18:00:00Z, or how long ago, such as 7d. Default ${DEFAULT_EVIDENCE_SINCE}.`,
        40,
      ),
    ),
    workflow: Type.Optional(createTextField('Path of one workflow, e.g. workflows/job.md.', 256)),
    phase: Type.Optional(createTextField('Only this phase.', 64)),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Quotes to leave out: nextOffset of the answer before; default 0.',
      }),
    ),
  }),
  hints: READS,
  untrusted: true,
  onlyListed: true,
  async run(
    { since = DEFAULT_EVIDENCE_SINCE, workflow = null, phase = null, offset = 0 },
    { port },
  ) {
    const jobEvidence = await port.evidence({ since, workflow, phase, offset });
    const { quotes, quotesTotal, ...sums } = jobEvidence;
    const next = offset + quotes.length;
    const older =
      jobEvidence.leftOut === 0 ? '' : ` ${jobEvidence.leftOut} older ones are left out.`;
    const quoteNote =
      workflow === null ? '' : ` ${quotes.length} of ${quotesTotal} quotes from ${offset} on.`;
    return {
      text: `Evidence of ${jobEvidence.jobs} ended jobs since ${jobEvidence.since}.${older}${quoteNote}`,
      data:
        workflow === null
          ? { ...sums }
          : { ...sums, quotes, quotesTotal, nextOffset: next < quotesTotal ? next : null },
    };
  },
});

export const evidenceTools: readonly Tool[] = [listEvidence];
