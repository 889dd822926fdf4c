import { DEFAULT_DECISIONS } from '../../../shared/agents/guardrails.ts';
import {
  AllowBody,
  AllowReply,
  GuardrailDecisionList,
  GuardrailDecisionsQuery,
  GuardrailList,
} from '../../../contract/schema/policy/guardrailView.ts';
import { DryRunBody, DryRunReply } from '../../../contract/schema/policy/dryRun.ts';
import { readCaller } from '../gates/access.ts';
import { abortWhenClientGone } from '../streams/abortWhenClientGone.ts';
import { tellPage } from '../replies/pages.ts';
import { defineJsonRoute } from '../route.ts';

/** The rules about what agents do. */
export const guardrailRoutes = [
  defineJsonRoute({
    name: 'guardrails',
    access: 'read',
    method: 'GET',
    path: '/guardrails',
    summary:
      'Every rule about what agents do: where it comes from, whether it is on, what it does, how often it has, and what is wrong with its script.',
    reply: GuardrailList,
    refusals: ['store-failed'],
    handle: (_call, { runner }) => runner.guardrails(),
  }),
  defineJsonRoute({
    name: 'guardrailDecisions',
    access: 'read',
    method: 'GET',
    path: '/guardrails/decisions',
    summary: 'What guardrails did not let pass, newest first. Link names the next page.',
    query: GuardrailDecisionsQuery,
    reply: GuardrailDecisionList,
    refusals: ['not-found'],
    handle({ query, ctx }, { runner }) {
      const { limit = DEFAULT_DECISIONS, offset = 0 } = query;
      const { decisions, total } = runner.guardrailDecisions(query);
      tellPage(ctx, { limit, offset, total });
      return decisions;
    },
  }),
  defineJsonRoute({
    name: 'dryRunGuardrail',
    // It may run a script.
    access: 'write',
    method: 'POST',
    path: '/guardrails/dry-run',
    summary:
      'Tests a rule on sample input and on the journals of past jobs. Nothing is stored; it stops when the client disconnects.',
    body: DryRunBody,
    reply: DryRunReply,
    refusals: ['not-found'],
    handle: ({ body, ctx }, { runner }) => runner.dryRunGuardrail(body, abortWhenClientGone(ctx)),
  }),
  defineJsonRoute({
    name: 'allowGuardrail',
    access: 'write',
    method: 'POST',
    path: '/jobs/:jobId/guardrails/allow',
    summary:
      'Lets exactly what made the job wait for a person pass for this job from now on; the job continues. Another act is asked about again.',
    body: AllowBody,
    reply: AllowReply,
    refusals: ['not-found', 'not-possible-now', 'stopping', 'store-failed'],
    handle: ({ params, body, ctx }, { runner }) =>
      runner.allowGuardrail(params.jobId, body, readCaller(ctx)),
  }),
];
