import Type from 'typebox';
import { SANDBOX_PROFILES } from '../../../shared/agents/sandboxProfiles.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { Usage } from './usage.ts';

/** Tokens of a session. */
export const PhaseUsage = describeMembers(
  Type.Object({
    phase: Type.String(),
    visit: Type.Integer(),
    session: Type.Integer(),
    usage: Usage,
  }),
  {
    phase: 'The phase.',
    visit: 'The visit of the phase.',
    session: 'The session within the visit.',
    usage: 'Tokens of that session.',
  },
);
export type PhaseUsage = Type.Static<typeof PhaseUsage>;

/** What confined a session. */
export const SessionConfinement = describeMembers(
  Type.Object({
    visit: Type.Integer(),
    session: Type.Integer(),
    state: Type.Enum([...SANDBOX_PROFILES, 'none']),
    reason: Type.Union([Type.String(), Type.Null()]),
  }),
  {
    visit: 'The visit of the phase.',
    session: 'The session within the visit.',
    state: 'What confined it; none = nothing did.',
    reason: 'Why nothing did; null where something did.',
  },
);
export type SessionConfinement = Type.Static<typeof SessionConfinement>;
