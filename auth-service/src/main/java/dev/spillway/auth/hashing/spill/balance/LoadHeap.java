package dev.spillway.auth.hashing.spill.balance;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * An indexed binary heap: {@code n} items, each with a key; the item of the least key on top, and
 * any item's key changed in O(log n). Among equal keys a coin decides, so that no item is preferred
 * for its place in the list. Not thread-safe.
 */
final class LoadHeap {
  private final int[] keys;
  private final int[] heap;
  private final int[] places;
  private final IntUnaryOperator below;

  /**
   * All keys zero, in random order.
   *
   * @param below a uniform int in {@code [0, bound)}
   */
  LoadHeap(int size, IntUnaryOperator below) {
    this.keys = new int[size];
    this.heap = new int[size];
    this.places = new int[size];
    this.below = below;
    Arrays.setAll(heap, item -> item);
    for (int place = size - 1; place > 0; place--) {
      swap(place, below.applyAsInt(place + 1));
    }
    for (int place = 0; place < size; place++) {
      places[heap[place]] = place;
    }
  }

  int top() {
    return heap[0];
  }

  int key(int item) {
    return keys[item];
  }

  void set(int item, int key) {
    int old = keys[item];
    keys[item] = key;
    if (key < old) {
      up(places[item]);
    } else if (key > old) {
      down(places[item]);
    }
  }

  private void up(int place) {
    while (place > 0) {
      int parent = (place - 1) / 2;
      if (!goesBefore(place, parent)) {
        return;
      }
      swap(place, parent);
      place = parent;
    }
  }

  private void down(int place) {
    while (true) {
      int left = 2 * place + 1;
      if (left >= heap.length) {
        return;
      }
      int right = left + 1;
      int child = right < heap.length && goesBefore(right, left) ? right : left;
      if (!goesBefore(child, place)) {
        return;
      }
      swap(place, child);
      place = child;
    }
  }

  private boolean goesBefore(int place, int other) {
    int key = keys[heap[place]];
    int otherKey = keys[heap[other]];
    return key < otherKey || (key == otherKey && below.applyAsInt(2) == 0);
  }

  private void swap(int place, int other) {
    int item = heap[place];
    heap[place] = heap[other];
    heap[other] = item;
    places[heap[place]] = place;
    places[item] = other;
  }
}
