import type { StreamApi } from "../../../components/new-round/stream-api.ts";
import {
  listMappings,
  previewStream,
  proposeFromStream,
  recogniseStream,
  removeMapping,
  roundHead,
  saveMapping,
  uploadHead,
} from "./stream-actions.ts";

/** What forms ask about a stream, wherever one is uploaded. */
export const STREAM_API: StreamApi = {
  recognise: recogniseStream,
  preview: previewStream,
  mappings: listMappings,
  saveMapping,
  removeMapping,
  propose: proposeFromStream,
  uploadHead,
  roundHead,
};
