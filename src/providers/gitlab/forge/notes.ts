/** GitLab's own note about an approval. */
export const APPROVED = /^approved this merge request$/;
/** GitLab's own note about requested changes. */
export const REQUESTED_CHANGES = /^(?:has )?requested changes\b/i;
