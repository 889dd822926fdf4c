import Type from 'typebox';
import { section } from './fieldSchemas.ts';

export const TenantSettings = Type.Object(
  {
    coordination: Type.Object(
      {
        maxParallelSubRuns: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 64,
            description:
              "Maximum number of concurrent sub-runs of a job, instead of the value in its workflow. Default: the workflow's.",
          }),
        ),
      },
      { ...section, title: 'Sub-runs' },
    ),
  },
  { ...section, title: 'Settings of a team that override its workflows' },
);
