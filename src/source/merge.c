// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/merge.h"

static void sift_down(struct queue **heap, size_t cnt, size_t i)
{
	struct queue *q = heap[i];
	uint64_t t = queue__peek(q)->time_ns;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= cnt)
			break;
		if (child + 1 < cnt &&
		    queue__peek(heap[child + 1])->time_ns < queue__peek(heap[child])->time_ns)
			child++;
		if (queue__peek(heap[child])->time_ns >= t)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = q;
}

void merge__heapify(struct queue **heap, size_t cnt)
{
	size_t i;

	for (i = cnt / 2; i-- > 0;)
		sift_down(heap, cnt, i);
}

size_t merge__drop(struct queue **heap, size_t cnt)
{
	heap[0] = heap[--cnt];
	if (cnt)
		sift_down(heap, cnt, 0);
	return cnt;
}

size_t merge__advance(struct queue **heap, size_t cnt)
{
	if (queue__is_empty(heap[0]))
		return merge__drop(heap, cnt);
	if (cnt)
		sift_down(heap, cnt, 0);
	return cnt;
}
