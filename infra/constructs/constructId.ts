/** `webhook-delivery` and `webhook.delivery` are `WebhookDelivery`, as constructs and outputs are called. */
export function constructId(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
