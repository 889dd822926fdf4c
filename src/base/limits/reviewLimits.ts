export const MAX_REVIEW_COMMENTS = 100;
/** Most characters of one comment of a review, and of the text of a review as a whole. */
export const MAX_COMMENT_CHARS = 65_536;
