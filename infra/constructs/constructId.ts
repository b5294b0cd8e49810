/** The id of a construct or an output: `webhook-delivery` and `webhook.delivery` become `WebhookDelivery`. */
export function constructId(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
