import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import type { eventItem } from "@packhouse/contract/events";
import { systemUser } from "@packhouse/contract/security-events";
import type { Viewer } from "../../http/application.ts";
import { productVersion } from "../../platform/product-version.ts";
import { describeSecurityEvent } from "./describe-security-event.ts";
import { type RelatedResources, resourceKey } from "./related-resources.ts";
import type { SecurityEvent } from "./security-store.ts";
import { maySeeAddress } from "./visibility-store.ts";

/** A security event in the shape of every event, with fields of its own. Its link carries the flag that shows it. */
export function presentSecurityEvent(
  event: SecurityEvent,
  related: RelatedResources,
  { api, actor }: Viewer,
): Sent<typeof eventItem> {
  const address = maySeeAddress(actor, event) ? event.address : null;
  const tried = event.event_type === "signInFailed" ? event.account : null;
  return {
    id: event.id,
    technology: event.technology ?? `Packhouse version: ${productVersion}`,
    time: instantText(event.occurred_on),
    user: event.user ?? tried ?? systemUser,
    eventType: event.event_type,
    resourceId: event.resource_id,
    resourceType: event.resource_type,
    changedProperties: event.changed_properties,
    relatedResource: related.get(resourceKey(event)) ?? { id: event.resource_id },
    description: describeSecurityEvent(event, address),
    detail: event.detail,
    ...(event.subject === null ? {} : { subject: event.subject }),
    ...(address === null ? {} : { address }),
    count: event.count,
    lastTime: instantText(event.last_on),
    links: [
      { rel: "self", href: `${api}/events/${event.id}?security=true` },
      { rel: "eventList", href: `${api}/events?security=true` },
    ],
  };
}
