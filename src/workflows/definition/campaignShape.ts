import Type from 'typebox';
import {
  SUB_RUN_NAME,
  MAX_DEPENDS_ON,
  MAX_SUB_RUN_DESCRIPTION_CHARS,
} from '../../contract/schema/job/subRun.ts';
import { MAX_SUB_RUNS } from '../../base/limits/jobLimits.ts';
import { FailurePolicy } from '../../contract/schema/workflow/workflow.ts';
import { closed } from '../../contract/schema/kit/schemaKit.ts';

const optional = Type.Optional;
const buildCampaignTextShape = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description });
const map = Type.Record(Type.String(), Type.Unknown(), { description: 'a map' });

/** The rule for names of sub-runs, in words. */
const NAME_IN_WORDS =
  'lowercase alphanumeric characters, dots, hyphens and underscores, at most 64';

/*
 * The front matter of a campaign as authors write it. Each property's `description` finishes the
 * sentence "must be …" of the finding.
 */
export const CampaignFrontMatter = Type.Object(
  {
    title: optional(buildCampaignTextShape('a text of at most 200 characters', 200)),
    repo: buildCampaignTextShape('the slug of the repository', 256),
    workflow: optional(
      buildCampaignTextShape('the path of a workflow such as workflows/campaign.md', 256),
    ),
    maxParallelSubRuns: optional(
      Type.Integer({ minimum: 1, maximum: 64, description: 'a whole number from 1 to 64' }),
    ),
    failurePolicy: optional(
      Type.Union([...FailurePolicy.anyOf], { description: 'halt-on-failure or continue' }),
    ),
    params: optional(map),
    'sub-runs': Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: MAX_SUB_RUNS,
      description: `a list of 1 to ${MAX_SUB_RUNS} sub-runs`,
    }),
  },
  closed,
);

export const SubRunFrontMatter = Type.Object(
  {
    name: Type.String({ pattern: SUB_RUN_NAME, description: NAME_IN_WORDS }),
    description: optional(
      buildCampaignTextShape(
        `a text of at most ${MAX_SUB_RUN_DESCRIPTION_CHARS} characters`,
        MAX_SUB_RUN_DESCRIPTION_CHARS,
      ),
    ),
    dependsOn: optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: MAX_DEPENDS_ON,
        uniqueItems: true,
        description: `a list of at most ${MAX_DEPENDS_ON} names, each once`,
      }),
    ),
    params: optional(map),
    trackerRef: optional(buildCampaignTextShape('an issue key or a URL', 256)),
  },
  closed,
);
