import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
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

/** Names of git with a slash between them; each begins with a letter or a digit. */
const GitName = Type.String({
  pattern: '^(?!.*[.]{2})[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*$',
  maxLength: 200,
});
/** A folder that does not leave its repository and is not git's own. */
const RepositoryFolder = Type.String({
  pattern:
    '^(?!.*[.]{2})(?!(?:.*/)?[.](?:[gG][iI][tT])?(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$',
  maxLength: 200,
});

/** Where pull requests change the overlay of a team. */
export const OverlayRepository = Type.Object(
  {
    forge: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
      description: 'ID of the forge, as runners configure it, such as github.',
    }),
    repository: describe(GitName, 'Its name at the forge, such as acme/workflows.'),
    branch: nullable(GitName, 'The branch that is merged into; null = the default branch.'),
    folder: nullable(RepositoryFolder, 'The folder of the overlay, such as team; null = the root.'),
  },
  closed,
);
export type OverlayRepository = Type.Static<typeof OverlayRepository>;

const ProposalPlace = nullable(
  OverlayRepository,
  'The repository where a pull request applies a proposal for the overlay; null = the control plane applies it itself.',
);

export const Team = Type.Object(
  {
    id: Type.String(),
    slug: Slug,
    name: Name,
    role: TeamRole,
    maxRunningPerPerson: MaxRunning,
    overlayRepository: ProposalPlace,
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
  Type.Object({
    name: Name,
    slug: Slug,
    maxRunningPerPerson: MaxRunning,
    overlayRepository: ProposalPlace,
  }),
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
