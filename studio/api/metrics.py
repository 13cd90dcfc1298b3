"""What Prometheus reads: requests by route, method and status, and the time they took. Counted on the event loop only."""

from collections import Counter

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_requests: Counter[tuple[str, str, int]] = Counter()
_seconds: dict[str, float] = {}
_counts: Counter[str] = Counter()


def count(path: str, method: str, status: int, seconds: float) -> None:
    """Count one answered request; the path is the route's, so that the number of series stays small."""
    _requests[path, method, status] += 1
    _seconds[path] = _seconds.get(path, 0.0) + seconds  # before its count, by which it is looked up from another thread
    _counts[path] += 1


def text(*, takes_writes: bool, missing_changes: int) -> str:
    """Everything counted so far, in Prometheus's text format.

    Args:
        takes_writes: whether the store takes writes.
        missing_changes: how many acknowledged changes it lacked when it was opened.
    """
    lines = [
        "# HELP studio_store_takes_writes Whether the store answers and takes writes.",
        "# TYPE studio_store_takes_writes gauge",
        f"studio_store_takes_writes {int(takes_writes)}",
        "# HELP studio_store_missing_changes Acknowledged changes that the store lacked when it was opened.",
        "# TYPE studio_store_missing_changes gauge",
        f"studio_store_missing_changes {missing_changes}",
        "# HELP studio_http_requests_total Requests answered.",
        "# TYPE studio_http_requests_total counter",
        *(
            f'studio_http_requests_total{{route="{path}",method="{method}",status="{status}"}} {number}'
            for (path, method, status), number in sorted(_requests.items())
        ),
        "# HELP studio_http_request_seconds Time from the first byte of a request to the end of its answer.",
        "# TYPE studio_http_request_seconds summary",
    ]
    for path in sorted(_counts):
        lines.append(f'studio_http_request_seconds_sum{{route="{path}"}} {_seconds[path]:.6f}')
        lines.append(f'studio_http_request_seconds_count{{route="{path}"}} {_counts[path]}')
    return "\n".join(lines) + "\n"
