import Type from 'typebox';
import { closed, describe } from '../kit/schemaKit.ts';

/** Body of POST /runner/leave-team. */
export const LeaveTeamBody = Type.Object(
  {
    abandon: Type.Optional(
      Type.Boolean({
        description:
          'Do not wait for the control plane: what it does not have stays on this machine alone, and it keeps its copy. Default: false.',
      }),
    ),
  },
  closed,
);
export type LeaveTeamBody = Type.Static<typeof LeaveTeamBody>;

/** Reply of POST /runner/leave-team. */
export const LeaveTeamReply = Type.Object({
  left: Type.Boolean({
    description:
      'Whether the state is on this machine alone now. false: the control plane is away.',
  }),
  unsent: describe(
    Type.Integer({ minimum: 0 }),
    'Changes that the control plane does not have yet.',
  ),
});
export type LeaveTeamReply = Type.Static<typeof LeaveTeamReply>;
