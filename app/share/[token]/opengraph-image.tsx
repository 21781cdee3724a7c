import { ImageResponse } from "next/og";
import { PreviewPicture } from "../../../components/share/preview-picture.tsx";
import { shareScope } from "../../rounds/scope.ts";

export const alt = "Status, five signals and figures of the round";
export const size = { width: 1200, height: 630 };
export const contentType = "image/png";

/** The picture of a link's preview; gone with its link, and so never kept by anybody on the way. */
export default async function PreviewImage({ params }: { params: Promise<{ token: string }> }) {
  const { round } = await shareScope(params);
  return new ImageResponse(<PreviewPicture round={round} />, {
    ...size,
    headers: { "Cache-Control": "private, no-store" },
  });
}
