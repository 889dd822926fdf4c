/**
 * Senders, by plugin ID, to which every status but 200 is a failure: they send again, and give the address up after a
 * while. Linear: https://linear.app/developers/webhooks
 */
const STRICT_SENDERS: ReadonlySet<string> = new Set(['linear']);

/** The status of the answer to a delivery that was taken. */
export const chooseDeliveryStatus = (pluginId: string): 200 | 202 =>
  STRICT_SENDERS.has(pluginId) ? 200 : 202;
