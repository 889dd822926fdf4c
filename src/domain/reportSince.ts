/** How long ago a report begins where its request does not say. */
export const DEFAULT_REPORT_SINCE = '3d';
