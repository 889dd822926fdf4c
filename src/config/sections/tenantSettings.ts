import Type from 'typebox';
import { section } from './pieces.ts';

export const TenantSettings = Type.Object(
  {
    coordination: Type.Object(
      {
        maxParallelSubRuns: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 64,
            description:
              "Most sub-runs of a job at once, over the value in its workflow. Default: the workflow's.",
          }),
        ),
      },
      { ...section, title: 'Sub-runs' },
    ),
  },
  { ...section, title: 'What a team sets over its workflows' },
);
