import Type from 'typebox';
import { closed, IsoTime, nullable } from '../kit/schemaKit.ts';
import { TeamRole } from './teamRole.ts';

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Slug = Type.String({
  maxLength: 40,
  description: 'Its name in addresses and on the command line: a-z, 0-9 and -.',
});

/** Most jobs of one person that dispatches may run at the same time. */
const MaxRunning = nullable(
  Type.Integer({ minimum: 1, maximum: 10_000 }),
  'How many jobs of one person dispatches may run at the same time; null = no limit.',
);

export const Team = Type.Object(
  {
    id: Type.String(),
    slug: Slug,
    name: Name,
    role: TeamRole,
    maxRunningPerPerson: MaxRunning,
    createdAt: IsoTime,
  },
  { ...closed, description: 'A team, and the role that the caller has in it.' },
);
export type Team = Type.Static<typeof Team>;

export const TeamList = Type.Object({ teams: Type.Array(Team) }, closed);

export const CreateTeamBody = Type.Object(
  {
    name: Name,
    slug: Type.Optional(Slug),
  },
  closed,
);

export const ChangeTeamBody = Type.Partial(
  Type.Object({ name: Name, slug: Slug, maxRunningPerPerson: MaxRunning }),
  closed,
);

export const DeleteTeamQuery = Type.Object(
  { name: Type.String({ description: 'The name of the team, as a person typed it.' }) },
  closed,
);

/** The person who calls. */
export const Me = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    csrf: Type.Union([Type.String(), Type.Null()], {
      description: 'What a browser sends as X-Svc-Csrf with changes; null for an access token.',
    }),
    teams: Type.Array(Team),
  },
  closed,
);
export type Me = Type.Static<typeof Me>;

export const Member = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: TeamRole,
    joinedAt: IsoTime,
  },
  closed,
);
export type Member = Type.Static<typeof Member>;

export const MemberList = Type.Object({ members: Type.Array(Member) }, closed);

export const RoleBody = Type.Object({ role: TeamRole }, closed);

const invitation = {
  id: Type.String(),
  role: TeamRole,
  invitedBy: Type.Object({ userId: Type.String(), name: Type.String() }, closed),
  createdAt: IsoTime,
  expiresAt: IsoTime,
};

export const Invitation = Type.Object(invitation, closed);
export type Invitation = Type.Static<typeof Invitation>;

export const InvitationList = Type.Object({ invitations: Type.Array(Invitation) }, closed);

export const NewInvitation = Type.Object(
  {
    ...invitation,
    url: Type.String({ description: 'The link, shown this once. It works once.' }),
  },
  closed,
);
export type NewInvitation = Type.Static<typeof NewInvitation>;
