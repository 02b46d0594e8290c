import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import type { eventItem } from "@packhouse/contract/events";
import type { Viewer } from "../../http/application.ts";
import { productVersion } from "../../platform/product-version.ts";
import { type RelatedResources, resourceKey } from "./related-resources.ts";
import type { Event } from "./store.ts";

export function presentEvent(event: Event, related: RelatedResources, { api }: Viewer): Sent<typeof eventItem> {
  return {
    id: event.id,
    technology: event.technology ?? `Packhouse version: ${productVersion}`,
    time: instantText(event.occurred_on),
    user: event.user,
    eventType: event.event_type,
    resourceId: event.resource_id,
    resourceType: event.resource_type,
    changedProperties: event.changed_properties,
    relatedResource: related.get(resourceKey(event)) ?? { id: event.resource_id },
    description: event.description,
    links: [
      // Only readable with the flag.
      { rel: "self", href: `${api}/events/${event.id}${event.purged ? "?purged=true" : ""}` },
      { rel: "eventList", href: `${api}/events` },
    ],
  };
}
