/** Why a login at the company's issuer did not come to an end. `title` and `text` are shown; `status` is HTTP's. */
export const SIGN_ON_FAULTS = {
  lost: {
    status: 409,
    title: 'This login is no longer open',
    text: 'It began in another browser, took longer than ten minutes, or was used already. Log in again.',
  },
  denied: {
    status: 403,
    title: 'You were not logged in',
    text: "Your company's login was cancelled, or does not let you use svc. Try again; if that does not help, ask who manages your company's logins.",
  },
  away: {
    status: 503,
    title: "Your company's login does not answer",
    text: 'Try again in a few minutes. Who is logged in stays so meanwhile.',
  },
  misconfigured: {
    status: 502,
    title: "Your company's login does not work with svc",
    text: 'It refused the request, or its answer is not valid here. Nothing was changed. Ask who runs the control plane: its log has the reason.',
  },
  'no-key': {
    status: 503,
    title: 'The control plane cannot log you in',
    text: "It has no key for the secret of your company's login. Ask who runs it to start each node with the SVC_CLOUD_KEY that the secret was sealed with, or to enter the secret again: svc cloud issuer set.",
  },
  'no-email': {
    status: 403,
    title: 'Your account has no email address',
    text: "Your company's login did not give svc your email address. Ask who manages it to include the claim email.",
  },
  unverified: {
    status: 403,
    title: 'Your email address is not verified',
    text: "Your company's login does not confirm that the address is yours. Verify it there, or ask who manages your company's logins. Then log in again.",
  },
  domain: {
    status: 403,
    title: 'This email address may not log in here',
    text: 'Only addresses of certain domains may. Log in with the address of your company, or ask who runs the control plane.',
  },
  'no-groups': {
    status: 403,
    title: "Your company's login does not name your groups",
    text: "The roles in svc depend on them. Ask who manages your company's logins to include your groups, and who runs the control plane to check the name of the claim: svc cloud issuer show.",
  },
  'other-subject': {
    status: 403,
    title: 'This address belongs to another account',
    text: "An account with your email address is connected to another person of your company's login. The two are not merged. If the account is yours, ask who runs the control plane to disconnect it with svc cloud issuer unlink, and an admin of the team for an invitation.",
  },
  'not-linked': {
    status: 403,
    title: 'Connect your account first',
    text: "An account with your email address exists already, and is not connected to your company's login. Ask an admin of the team for an invitation, open its link and log in there.",
  },
} as const satisfies Record<string, { status: number; title: string; text: string }>;

export type SignOnFault = keyof typeof SIGN_ON_FAULTS;

/** A login that ends on one of the pages above. `cause`: for the log of the node alone. */
export class SignOnError extends Error {
  readonly fault: SignOnFault;
  constructor(fault: SignOnFault, cause?: unknown) {
    super(SIGN_ON_FAULTS[fault].title, cause === undefined ? undefined : { cause });
    this.name = 'SignOnError';
    this.fault = fault;
  }
}
