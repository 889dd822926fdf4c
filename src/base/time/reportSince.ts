/** How long ago a report begins where its request does not say. */
export const DEFAULT_REPORT_SINCE = '3d';

/** The default start of a track record of ratings. */
export const DEFAULT_TRACK_RECORD_SINCE = '90d';
