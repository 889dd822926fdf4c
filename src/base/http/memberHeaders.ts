/** Names the member of the team for whom the link to the control plane asks: base64url of its JSON. */
export const PERSON_HEADER = 'X-Svc-Person';
/** The secret that this process made for its link: without it no request may name a person. */
export const LINK_HEADER = 'X-Svc-Link';
